import type { PermissionBlock, ToolBlock } from "@turnwire/protocol";
import { type ComponentType, memo, useMemo } from "react";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { changeCount } from "./change-count.ts";
import { DiffCount } from "./diff-view.tsx";
import { durationText } from "../../element/figure.ts";
import { dateText } from "../../element/clock-time.ts";
import { PolicyMark } from "../policy/policy-mark.tsx";
import { useShortPath } from "./short-path.ts";
import { ToolDetail } from "./tool-detail.tsx";
import { toolIcons, toolKind, toolLine, toolName } from "./tool-kind.ts";
import style from "./tool-block.module.css";

/** Shorter durations are not worth showing. */
const SHORT_MS = 100;

export interface ToolBlockViewProps {
  readonly block: ToolBlock;
  /** The ended request for it. */
  readonly permission?: PermissionBlock | undefined;
  /** Shows how that ended, in a word or two. */
  readonly Outcome?: ComponentType<{ readonly block: PermissionBlock }> | undefined;
}

/** A tool call in one line; its input and output on demand. */
export const ToolBlockView = memo(function ToolBlockView(props: ToolBlockViewProps) {
  const { block, permission, Outcome } = props;
  const short = useShortPath();
  const { status, duration_ms, started_at, policy } = block;
  const kind = toolKind(block);
  const change = useMemo(() => changeCount([block]), [block]);
  const line = toolLine(block);
  return (
    <BlockFold
      id={block.key}
      summary={
        <>
          <span className={`rigid faint ${style.icon}`} data-status={status}>
            <Icon name={status === "failed" ? "close" : toolIcons[kind]} size={15} />
          </span>
          <span className="rigid medium ink">{toolName(block)}</span>
          <span
            className={`cut mono ${style.summary}`}
            data-status={status}
            title={titleOf(line, started_at)}
          >
            {/* A shown command is the command: nothing of it is left out. */}
            {kind === "command" ? line : short(line)}
          </span>
          {change && <DiffCount file={change} />}
          {policy && <PolicyMark decision={policy} />}
          {permission && Outcome && (
            <span className={style.outcome}>
              <Outcome block={permission} />
            </span>
          )}
          {duration_ms !== undefined && duration_ms >= SHORT_MS && (
            <span className="rigid tiny numbers faint">{durationText(duration_ms)}</span>
          )}
        </>
      }
    >
      <ToolDetail block={block} />
    </BlockFold>
  );
});

function titleOf(line: string, startedAt: string | undefined): string {
  return startedAt === undefined ? line : `${line}\n${dateText(startedAt)}`;
}

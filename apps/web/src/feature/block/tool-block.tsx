import type { ToolBlock } from "@turnwire/protocol";
import { memo, useMemo } from "react";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { DiffCount } from "./diff-view.tsx";
import { durationText } from "../../element/figure.ts";
import { useShortPath } from "./short-path.ts";
import { ToolDetail } from "./tool-detail.tsx";
import { changedFiles } from "./tool-change.ts";
import { toolIcons, toolKind, toolLine } from "./tool-kind.ts";
import style from "./tool-block.module.css";

/** Shorter durations are not worth showing. */
const SHORT_MS = 500;

/** A tool call in one line; its input and output on demand. */
export const ToolBlockView = memo(function ToolBlockView({ block }: { readonly block: ToolBlock }) {
  const short = useShortPath();
  const { status, duration_ms } = block;
  const kind = toolKind(block);
  const change = useMemo(() => (kind === "change" ? changeOf(block) : undefined), [block, kind]);
  return (
    <BlockFold
      id={block.key}
      summary={
        <>
          <span className={style.icon} data-status={status}>
            <Icon name={status === "failed" ? "close" : toolIcons[kind]} size={15} />
          </span>
          <span className={style.tool}>{block.tool}</span>
          <span className={style.summary} data-status={status}>
            {short(toolLine(block))}
          </span>
          {change && <DiffCount file={change} />}
          {duration_ms !== undefined && duration_ms >= SHORT_MS && (
            <span className={style.duration}>{durationText(duration_ms)}</span>
          )}
        </>
      }
    >
      <ToolDetail block={block} />
    </BlockFold>
  );
});

/** How many lines a finished call changed in all its files. */
function changeOf(block: ToolBlock): { added: number; removed: number } | undefined {
  const files = block.status === "done" ? changedFiles(block) : undefined;
  return files?.reduce(
    (sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }),
    { added: 0, removed: 0 },
  );
}

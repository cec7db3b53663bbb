import { toolSummary, type ToolBlock } from "@turnwire/protocol";
import { memo } from "react";
import { Icon } from "../icon/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { durationText } from "./figure.ts";
import { useShortPath } from "./short-path.ts";
import { ToolDetail } from "./tool-detail.tsx";
import { toolIcons, toolKind } from "./tool-kind.ts";
import style from "./tool-block.module.css";

/** Shorter than this, how long it took says nothing. */
const SHORT_MS = 500;

/** A tool call in one line; its input and output on demand. */
export const ToolBlockView = memo(function ToolBlockView({ block }: { readonly block: ToolBlock }) {
  const short = useShortPath();
  const { status, duration_ms } = block;
  return (
    <BlockFold
      id={block.key}
      summary={
        <>
          <span className={style.icon} data-status={status}>
            <Icon name={status === "failed" ? "close" : toolIcons[toolKind(block)]} size={15} />
          </span>
          <span className={style.tool}>{block.tool}</span>
          <span className={style.summary} data-status={status}>
            {short(toolSummary(block))}
          </span>
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

import type { ToolBlock } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { counted } from "../../element/figure.ts";
import { ToolBlockView } from "./tool-block.tsx";
import { toolsSummary } from "./tool-kind.ts";
import style from "./tool-run.module.css";

/** Of many calls in a row only the newest are shown; with the line for the others the height stays the same. */
const SHOWN = 3;

/** Consecutive tool calls; if there are many, only the newest are shown. */
export function ToolRun({ blocks }: { readonly blocks: readonly ToolBlock[] }) {
  const hidden = blocks.length > SHOWN + 1 ? blocks.slice(0, -SHOWN) : [];
  const first = hidden[0];
  return (
    <div className={style.run}>
      {first && (
        <BlockFold
          id={`${first.key} run`}
          isNested
          summary={
            <>
              <span className={style.icon}>
                <Icon name="more" size={15} />
              </span>
              <span className={style.count}>{counted(hidden.length, "tool call")}</span>
              <span className={style.kinds}>{toolsSummary(hidden)}</span>
            </>
          }
        >
          {hidden.map((block) => (
            <ToolBlockView key={block.key} block={block} />
          ))}
        </BlockFold>
      )}
      {blocks.slice(hidden.length).map((block) => (
        <ToolBlockView key={block.key} block={block} />
      ))}
    </div>
  );
}

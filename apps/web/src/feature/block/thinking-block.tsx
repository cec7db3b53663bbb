import type { ThinkingBlock } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import { Prose } from "../../element/prose/prose.tsx";
import { BlockFold } from "./block-fold.tsx";
import style from "./thinking-block.module.css";

/** The thoughts of the agent, folded into one line, which shows the newest words while it thinks. */
export function ThinkingBlockView({ block }: { readonly block: ThinkingBlock }) {
  const { key, text, done } = block;
  if (text.trim() === "" && done) return null;
  return (
    <BlockFold
      id={key}
      isNested
      summary={
        <>
          <span className={`rigid faint ${style.icon}`} data-done={done}>
            <Icon name="thought" size={15} />
          </span>
          <span className="rigid medium ink">{done ? "Thought" : "Thinking"}</span>
          <span className={`cut faint ${style.glimpse}`} data-done={done}>
            <bdi>{done ? firstWords(text) : lastWords(text)}</bdi>
          </span>
        </>
      }
    >
      <div className="small soft">
        <Prose text={text} isStreaming={!done} />
      </div>
    </BlockFold>
  );
}

const GLIMPSE_LENGTH = 140;

function firstWords(text: string): string {
  return plain(text.slice(0, 2 * GLIMPSE_LENGTH)).slice(0, GLIMPSE_LENGTH);
}

function lastWords(text: string): string {
  return plain(text.slice(-GLIMPSE_LENGTH));
}

/** One line, without Markdown signs. */
function plain(text: string): string {
  return text
    .replace(/[*_`#>]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

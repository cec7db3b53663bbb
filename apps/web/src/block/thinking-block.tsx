import type { ThinkingBlock } from "@turnwire/protocol";
import { Fold } from "../element/fold.tsx";
import style from "./thinking-block.module.css";

/** What the agent thinks, folded away. */
export function ThinkingBlockView({ block }: { readonly block: ThinkingBlock }) {
  return (
    <Fold summary={block.done ? "Thought" : "Thinking…"}>
      <div className={style.text}>{block.text}</div>
    </Fold>
  );
}

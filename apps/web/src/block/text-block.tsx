import type { TextBlock } from "@turnwire/protocol";
import style from "./text-block.module.css";

interface TextBlockViewProps {
  readonly block: TextBlock;
  readonly isStreaming: boolean;
}

/** What the agent says. */
export function TextBlockView({ block, isStreaming }: TextBlockViewProps) {
  return (
    <div className={style.text} data-streaming={isStreaming}>
      {block.text}
    </div>
  );
}

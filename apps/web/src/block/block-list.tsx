import type { Block } from "@turnwire/protocol";
import { BlockView } from "./block-view.tsx";
import style from "./block-list.module.css";

interface BlockListProps {
  readonly blocks: readonly Block[];
  /** The last block may still grow. */
  readonly isStreaming: boolean;
}

/** Blocks in the order they happened, of a message or of a sub-agent. */
export function BlockList({ blocks, isStreaming }: BlockListProps) {
  return (
    <div className={style.list}>
      {blocks.map((block, index) => (
        <BlockView
          key={block.key}
          block={block}
          isStreaming={isStreaming && index === blocks.length - 1}
        />
      ))}
    </div>
  );
}

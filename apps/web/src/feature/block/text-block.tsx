import type { TextBlock } from "@turnwire/protocol";
import { Prose } from "../../element/prose/prose.tsx";
import { useWhole } from "./stored-part.tsx";

interface TextBlockViewProps {
  readonly block: TextBlock;
  readonly isStreaming: boolean;
}

/** Text of the agent. */
export function TextBlockView({ block, isStreaming }: TextBlockViewProps) {
  if (block.attachments) return <StoredText block={block} />;
  return <Prose text={block.text} isStreaming={isStreaming} />;
}

function StoredText({ block }: { readonly block: TextBlock }) {
  const { value, more } = useWhole(block);
  return (
    <>
      <Prose text={value.text} />
      {more}
    </>
  );
}

import type { TextBlock } from "@turnwire/protocol";
import { Prose } from "../prose/prose.tsx";

interface TextBlockViewProps {
  readonly block: TextBlock;
  readonly isStreaming: boolean;
}

/** What the agent says. */
export function TextBlockView({ block, isStreaming }: TextBlockViewProps) {
  return <Prose text={block.text} isStreaming={isStreaming} />;
}

import type { SubagentBlock } from "@turnwire/protocol";
import { Fold } from "../element/fold.tsx";
import { BlockList } from "./block-list.tsx";

/** A sub-agent: one line, and its own blocks inside. */
export function SubagentBlockView({ block }: { readonly block: SubagentBlock }) {
  const { name, status, tool_calls, file_changes } = block;
  return (
    <Fold summary={`${name}: ${status}, ${tool_calls} tool calls, ${file_changes} file changes`}>
      <BlockList blocks={block.blocks} isStreaming={status === "running"} />
    </Fold>
  );
}

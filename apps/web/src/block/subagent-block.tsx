import type { SubagentBlock } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { Fold } from "../element/fold.tsx";

interface SubagentBlockViewProps {
  readonly block: SubagentBlock;
  /** The sub-agent's own blocks. */
  readonly children: ReactNode;
}

/** A sub-agent: one line, and its own blocks inside. */
export function SubagentBlockView({ block, children }: SubagentBlockViewProps) {
  const { name, status, tool_calls, file_changes } = block;
  return (
    <Fold summary={`${name}: ${status}, ${tool_calls} tool calls, ${file_changes} file changes`}>
      {children}
    </Fold>
  );
}

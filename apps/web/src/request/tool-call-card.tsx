import type { ToolCallBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../element/button.tsx";
import { RequestCard } from "./request-card.tsx";

/** A tool that a UI should perform, and that this one does not have: a person can decline it. */
export function ToolCallCard({ block }: { readonly block: ToolCallBlock }) {
  const { request, progress, respond } = useRequest(block);
  const decline = (): void =>
    respond({ output: `This UI has no tool ${request.tool_name}.`, is_error: true });
  return (
    <RequestCard
      title={`The agent calls ${request.tool_name} in the browser`}
      progress={progress}
      actions={<Button onClick={decline}>Decline</Button>}
    >
      <pre>{JSON.stringify(request.input, null, 2)}</pre>
    </RequestCard>
  );
}

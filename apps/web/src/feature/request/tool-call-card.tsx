import type { ToolCallBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../../element/button.tsx";
import { PermissionSubjectView } from "./permission-subject-view.tsx";
import { RequestCard } from "./request-card.tsx";

/** A tool that a page should perform, and that this one does not have: a person can decline it. */
export function ToolCallCard({ block }: { readonly block: ToolCallBlock }) {
  const { id, request, progress, respond } = useRequest(block);
  const { tool_name: name, input } = request;
  const decline = (): void => respond({ output: `This page has no tool ${name}.`, is_error: true });
  return (
    <RequestCard
      id={id}
      title={`The agent wants to use ${name}, which this page does not provide`}
      progress={progress}
      expiresAt={request.expires_at}
      subject={name}
      answer={
        block.resolution?.is_error === true
          ? { text: "Declined", tone: "bad" }
          : { text: "Done by another page", tone: "good" }
      }
      actions={
        <div>
          <Button onClick={decline}>Decline</Button>
        </div>
      }
    >
      <PermissionSubjectView id={id} subject={{ type: "input", input }} />
    </RequestCard>
  );
}

import { requestOf, toolCallDeadline, type ToolCallBlock } from "@turnwire/protocol";
import { useRequest, useSessionSelector } from "@turnwire/react";
import { useSecond } from "../../element/use-now.ts";
import { Button } from "../../element/button.tsx";
import { PermissionSubjectView } from "./permission-subject-view.tsx";
import { RequestCard } from "./request-card.tsx";

/** A tool that a page should perform, and that this one does not have: a person can decline it. */
export function ToolCallCard({ block }: { readonly block: ToolCallBlock }) {
  const { id, request, progress, respond } = useRequest(block);
  const { tool_name: name, input } = request;
  const call = useSessionSelector(({ session }) => requestOf(session, id));
  const open = call?.type === "tool_call_request" ? call : undefined;
  const now = useSecond(open?.claim !== undefined);
  const deadline = open && toolCallDeadline(open);
  // A page that is gone renews its claim no more.
  const isPerformed = open?.claim !== undefined && Date.parse(open.claim.expires_at) > now;
  const decline = (): void => respond({ output: `This page has no tool ${name}.`, is_error: true });
  return (
    <RequestCard
      id={id}
      title={
        isPerformed
          ? `Another page is running ${name}`
          : `The agent wants to use ${name}, which this page does not provide`
      }
      progress={progress}
      expiresAt={
        deadline === undefined || isPerformed ? undefined : new Date(deadline).toISOString()
      }
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

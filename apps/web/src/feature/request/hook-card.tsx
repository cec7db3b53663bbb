import type { HookBlock, JsonObject } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { useRef } from "react";
import { hookSubject, hookTitle } from "./hook-subject.ts";
import { KeyButton } from "./key-button.tsx";
import { subjectLine } from "./permission-subject.ts";
import { PermissionSubjectView } from "./permission-subject-view.tsx";
import { RefusalRow } from "./refusal-row.tsx";
import { RequestCard } from "./request-card.tsx";
import type { Ending } from "./request-ending.ts";

/** A hook of the agent waits for a decision. */
export function HookCard({ block }: { readonly block: HookBlock }) {
  const { id, request, progress, respond } = useRequest(block);
  const reason = useRef<HTMLInputElement>(null);
  const { subject, toolName } = hookSubject(request);
  const goOn = (): void => respond({ decision: { continue: true } });
  const refuse = (text: string): void =>
    respond({ decision: { decision: "block", ...(text !== "" && { reason: text }) } });
  const stop = (text: string): void =>
    respond({ decision: { continue: false, ...(text !== "" && { stopReason: text }) } });
  return (
    <RequestCard
      id={id}
      title={hookTitle(request)}
      progress={progress}
      expiresAt={request.expires_at}
      answer={endingFrom(block.resolution?.decision)}
      subject={subjectLine(subject, toolName)}
      keys={{ allow: goOn, deny: () => reason.current?.focus() }}
      actions={
        <>
          <div>
            <KeyButton look="strong" shortcut="y" onClick={goOn}>
              Continue
            </KeyButton>
          </div>
          <RefusalRow
            id={id}
            field={reason}
            label="Block"
            hint="Reason (optional)"
            onRefuse={refuse}
            stopLabel="Stop the agent"
            onStop={stop}
          />
        </>
      }
    >
      <PermissionSubjectView id={id} subject={subject} />
    </RequestCard>
  );
}

function endingFrom(decision: JsonObject | undefined): Ending | undefined {
  if (!decision) return undefined;
  if (decision["continue"] === false) return { text: "The hook stopped the agent", tone: "bad" };
  if (decision["decision"] !== "block") return { text: "The hook continued", tone: "good" };
  const { reason } = decision;
  const why = typeof reason === "string" ? `: ${reason}` : "";
  return { text: `The hook blocked it${why}`, tone: "bad" };
}

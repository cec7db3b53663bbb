import type { PermissionBlock } from "@turnwire/protocol";
import { useRequest, useSession, useSessionSelector } from "@turnwire/react";
import { useRef, useState } from "react";
import { useWhole } from "../block/stored-part.tsx";
import { AskReason } from "../policy/decision-note.tsx";
import { writtenRule } from "../policy/suggested-rule.ts";
import { ruleRefusal, usePolicy } from "../policy/use-policy.ts";
import { InputEditor } from "./input-editor.tsx";
import { PermissionActions } from "./permission-actions.tsx";
import { permissionEnding } from "./permission-ending.ts";
import style from "./request-card.module.css";
import {
  permissionReason,
  permissionSubject,
  permissionTitle,
  subjectLine,
} from "./permission-subject.ts";
import { PermissionSubjectView } from "./permission-subject-view.tsx";
import { RefusalRow } from "./refusal-row.tsx";
import { RequestCard } from "./request-card.tsx";

/** Asks whether the agent may use a tool with exactly this input, or follow a plan. */
export function PermissionCard({ block }: { readonly block: PermissionBlock }) {
  const { id, progress, respond } = useRequest(block);
  // The whole input can be seen, however long it is.
  const { value: whole, more } = useWhole(block);
  const { request } = whole;
  const capabilities = useSessionSelector((view) => view.session.session.capabilities);
  const [isEditing, setEditing] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const reason = useRef<HTMLInputElement>(null);
  const subject = permissionSubject(request);
  const isPlan = subject.type === "plan";
  const why = permissionReason(request);
  const rule = request.policy && writtenRule(request.policy.suggested_rule);
  const { id: sessionId } = useSession();
  const isOffered = rule !== undefined && progress.outcome === undefined;
  const { policy } = usePolicy(isOffered ? { session: sessionId } : undefined);
  const refusal = isOffered ? ruleRefusal(policy) : undefined;
  // Where the policy asks, only a rule of the policy answers for the next time.
  const suggestions = request.policy ? [] : (request.suggestions ?? []);
  const allow = (): void => respond({ behavior: "allow" });
  const edit = capabilities.edit_tool_input && !isPlan ? () => setEditing(true) : undefined;
  const canChoose = rule ? refusal === undefined : suggestions.length > 0;
  const always = canChoose ? () => setChoosing(true) : undefined;
  const deny = (message: string, interrupt = false): void =>
    respond({
      behavior: "deny",
      ...(message !== "" && { message }),
      ...(interrupt && { interrupt }),
    });
  return (
    <RequestCard
      id={id}
      title={permissionTitle(subject, request.tool_name)}
      progress={progress}
      expiresAt={request.expires_at}
      answer={permissionEnding(block)}
      subject={subjectLine(subject, request.tool_name)}
      keys={
        // The letters belong to what is being edited.
        isEditing || (isChoosing && rule)
          ? {}
          : {
              allow,
              deny: () => reason.current?.focus(),
              ...(always && { always }),
              ...(edit && { edit }),
            }
      }
      actions={
        !isEditing && (
          <>
            <PermissionActions
              suggestions={suggestions}
              rule={rule}
              ruleRefusal={refusal}
              isPlan={isPlan}
              isChoosing={isChoosing}
              onAllow={allow}
              onAllowAlways={(chosen) =>
                respond({ behavior: "allow", updated_permissions: [...chosen] })
              }
              onChoose={setChoosing}
              onEdit={edit}
            />
            <RefusalRow
              id={id}
              field={reason}
              label={isPlan ? "Keep planning" : "Deny"}
              hint={isPlan ? "What should be different?" : "Reason or instructions (optional)"}
              onRefuse={(message) => deny(message)}
              stopLabel={isPlan ? "Stop" : "Deny and stop"}
              onStop={capabilities.interrupt ? (message) => deny(message, true) : undefined}
            />
          </>
        )
      }
    >
      {why !== undefined && <p className={`breaks small soft ${style.reason}`}>{why}</p>}
      {request.policy && <AskReason policy={request.policy} />}
      {isEditing && progress.outcome === undefined ? (
        <InputEditor
          id={id}
          input={request.tool_input}
          onSave={(input) => respond({ behavior: "allow", updated_input: input })}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <PermissionSubjectView id={id} subject={subject} />
      )}
      {progress.outcome === undefined && more}
    </RequestCard>
  );
}

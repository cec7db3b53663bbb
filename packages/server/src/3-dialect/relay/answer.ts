import type { SessionEvent, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { plainFrame } from "../stream-json/line.ts";

/** The answer that a request got, for everybody who did not give it: as the CLI is answered. */
export function answerFrames(before: SessionState, event: SessionEvent): Frame[] {
  const response = answerOf(before, event);
  if (!response || !("correlation_id" in event.data)) return [];
  const { correlation_id: request_id } = event.data;
  const nested = { subtype: "success", request_id, response };
  return [plainFrame({ type: "control_response", response: nested })];
}

/** Undefined where it was not answered. */
function answerOf(before: SessionState, event: SessionEvent): object | undefined {
  switch (event.type) {
    case "permission_resolved": {
      const { outcome, correlation_id, allowed, message, updated_input } = event.data;
      if (outcome !== "answered") return undefined;
      if (!allowed) return { behavior: "deny", message: message ?? "" };
      const request = before.requests[correlation_id];
      const asked = request?.type === "permission_request" ? request.data.tool_input : {};
      return { behavior: "allow", updatedInput: updated_input ?? asked };
    }
    case "question_resolved": {
      const { outcome, answers } = event.data;
      if (outcome !== "answered") return undefined;
      return { behavior: "allow", updatedInput: { answers: answers ?? {} } };
    }
    case "hook_resolved": {
      const { outcome, decision } = event.data;
      return outcome === "answered" ? (decision ?? {}) : undefined;
    }
    default:
      return undefined;
  }
}

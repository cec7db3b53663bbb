import { defined } from "@turnwire/base";
import type { SessionEventOf } from "@turnwire/protocol";
import type { Frame, AskedRequest } from "@turnwire/wire";
import { kitFrame } from "./frame.ts";

/** Something that waits for a person: the kit itself has no word for it. */
export function requestFrame(sessionId: string | null, request: AskedRequest): Frame {
  const { correlation_id: requestId, tool_use_id: toolUseId, expires_at: expiresAt } = request.data;
  const asked = { requestId, ...defined({ toolUseId, expiresAt }) };
  switch (request.type) {
    case "permission_request": {
      const { tool_name: toolName, tool_input: input, suggestions, diff } = request.data;
      return kitFrame(sessionId, {
        type: "permission_requested",
        request: { ...asked, toolName, input, ...defined({ suggestions, diff }) },
      });
    }
    case "question_request": {
      const questions = request.data.questions.map(
        ({ question, header, options, multi_select: multiSelect, options_only: optionsOnly }) => ({
          question,
          options,
          ...defined({ header, multiSelect, optionsOnly }),
        }),
      );
      return kitFrame(sessionId, { type: "question_requested", request: { ...asked, questions } });
    }
    case "hook_request": {
      const { hook_event: hookEvent, hook_input: input } = request.data;
      return kitFrame(sessionId, {
        type: "hook_requested",
        request: { ...asked, hookEvent, input },
      });
    }
  }
}

type Resolved =
  | SessionEventOf<"permission_resolved">
  | SessionEventOf<"question_resolved">
  | SessionEventOf<"hook_resolved">;

/** The request is over, for everybody, and how. */
export function resolvedFrame(sessionId: string | null, event: Resolved): Frame {
  const { correlation_id: requestId, outcome, by } = event.data;
  const resolved = { type: event.type, requestId, outcome, ...defined({ by }) };
  switch (event.type) {
    case "permission_resolved": {
      const { allowed, message, updated_input: updatedInput } = event.data;
      return kitFrame(sessionId, { ...resolved, allowed, ...defined({ message, updatedInput }) });
    }
    case "question_resolved":
      return kitFrame(sessionId, { ...resolved, ...defined({ answers: event.data.answers }) });
    case "hook_resolved":
      return kitFrame(sessionId, { ...resolved, ...defined({ decision: event.data.decision }) });
  }
}

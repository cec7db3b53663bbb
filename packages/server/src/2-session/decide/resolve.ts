import {
  type Control,
  draft,
  type EventDraft,
  type OpenRequest,
  type Outcome,
} from "@turnwire/protocol";
import type { RequestAnswer } from "../../1-runtime/runtime.ts";

/** Ends every open request of the agent the same way; one for a larger budget is not the agent's. */
export function resolveAll(control: Control, outcome: Exclude<Outcome, "answered">): EventDraft[] {
  return Object.values(control.requests)
    .filter(({ type }) => type !== "budget_request")
    .map((request) => resolve(request, outcome));
}

/** Ends a request for a larger budget with its session. */
export function resolveBudget(control: Control): EventDraft[] {
  return Object.values(control.requests)
    .filter(({ type }) => type === "budget_request")
    .map((request) => resolve(request, "cancelled"));
}

/** Ends a request without an answer. */
export function resolve(
  request: OpenRequest,
  outcome: Exclude<Outcome, "answered">,
  message?: string,
): EventDraft {
  const place = placeOf(request);
  switch (request.type) {
    case "permission_request": {
      const { correlation_id, tool_name } = request.data;
      return draft(
        "permission_resolved",
        {
          correlation_id,
          tool_name,
          allowed: false,
          outcome,
          ...(message !== undefined && { message }),
        },
        place,
      );
    }
    case "question_request":
      return draft(
        "question_resolved",
        { correlation_id: request.data.correlation_id, outcome },
        place,
      );
    case "hook_request":
      return draft(
        "hook_resolved",
        { correlation_id: request.data.correlation_id, outcome },
        place,
      );
    case "interrupt":
      return draft(
        "interrupt_resolved",
        { interrupt_id: request.data.interrupt_id, outcome },
        place,
      );
    case "tool_call_request":
      return draft(
        "tool_call_resolved",
        { correlation_id: request.data.correlation_id, outcome },
        place,
      );
    case "budget_request":
      return draft(
        "budget_resolved",
        { correlation_id: request.data.correlation_id, outcome },
        place,
      );
  }
}

/** A request that the agent waits for. */
export type AgentRequest = Exclude<OpenRequest, { type: "budget_request" }>;

/** What the agent receives when no answer came in time: no, and why. */
export function expiredAnswer(
  request: AgentRequest,
  message = "No answer came in time.",
): RequestAnswer {
  switch (request.type) {
    case "permission_request":
      return {
        type: "permission_response",
        correlation_id: request.data.correlation_id,
        behavior: "deny",
        message,
      };
    case "question_request":
      return {
        type: "question_response",
        correlation_id: request.data.correlation_id,
        answers: {},
      };
    case "hook_request":
      return { type: "hook_response", correlation_id: request.data.correlation_id, decision: {} };
    case "interrupt":
      return { type: "interrupt_response", interrupt_id: request.data.interrupt_id, value: null };
    case "tool_call_request":
      return {
        type: "tool_call_response",
        correlation_id: request.data.correlation_id,
        output: message,
        is_error: true,
      };
  }
}

/** The turn and sub-agent a request came from: its outcome belongs there too. */
export function placeOf(request: OpenRequest): { turn_id?: string; subagent_id?: string } {
  return {
    ...(request.turn_id !== undefined && { turn_id: request.turn_id }),
    ...(request.subagent_id !== undefined && { subagent_id: request.subagent_id }),
  };
}

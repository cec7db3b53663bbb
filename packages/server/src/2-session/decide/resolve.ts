import {
  type AgentRequestKind,
  type AnswerTo,
  type Control,
  type EventDraft,
  isAskedByAgent,
  type OpenRequest,
  type Outcome,
  requestId,
  requestKindOf,
  requestKinds,
  type RequestTypeOf,
  resolutionOf,
} from "@turnwire/protocol";
import type { RequestAnswer } from "@turnwire/runtime";

/** A request that the agent waits for. */
export type AgentRequest = Extract<OpenRequest, { type: RequestTypeOf<AgentRequestKind> }>;

/** Ends every open request of the agent the same way; one of the session itself is not the agent's. */
export function resolveAll(control: Control, outcome: Exclude<Outcome, "answered">): EventDraft[] {
  return Object.values(control.requests)
    .filter(isAskedByAgent)
    .map((request) => resolve(request, outcome));
}

/** Ends the requests of the session itself with it. */
export function resolveOwn(control: Control): EventDraft[] {
  return Object.values(control.requests)
    .filter((request) => !isAskedByAgent(request))
    .map((request) => resolve(request, "cancelled"));
}

/** Ends a request without an answer. */
export function resolve(
  request: OpenRequest,
  outcome: Exclude<Outcome, "answered">,
  message?: string,
): EventDraft {
  const hasMessage = request.type === "permission_request" && message !== undefined;
  return resolutionOf(request, { outcome, ...(hasMessage && { message }) });
}

const refusals: {
  readonly [Kind in AgentRequestKind]: (
    message: string,
  ) => Omit<AnswerTo<Kind>, "type" | "correlation_id" | "interrupt_id">;
} = {
  permission: (message) => ({ behavior: "deny", message }),
  question: () => ({ answers: {} }),
  hook: () => ({ decision: {} }),
  interrupt: () => ({ value: null }),
  tool_call: (message) => ({ output: message, is_error: true }),
};

/** What the agent receives when no answer came in time: no, and why. */
export function expiredAnswer(
  request: AgentRequest,
  message = "No answer came in time.",
): RequestAnswer {
  const kind = requestKindOf(request) as AgentRequestKind;
  const { response, id } = requestKinds[kind];
  return {
    type: response,
    [id]: requestId(request),
    ...refusals[kind](message),
  } as RequestAnswer;
}

/** The turn and sub-agent a request came from: its outcome belongs there too. */
export function placeOf(request: OpenRequest): { turn_id?: string; subagent_id?: string } {
  return {
    ...(request.turn_id !== undefined && { turn_id: request.turn_id }),
    ...(request.subagent_id !== undefined && { subagent_id: request.subagent_id }),
  };
}

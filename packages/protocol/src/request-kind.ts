/**
 * Everything that can be asked of a person, by the type of its block: the event that asks, the event
 * that reports how that ended, the command that answers, and the field that has the request's id.
 */
export const requestKinds = {
  permission: {
    request: "permission_request",
    resolved: "permission_resolved",
    response: "permission_response",
    id: "correlation_id",
  },
  question: {
    request: "question_request",
    resolved: "question_resolved",
    response: "question_response",
    id: "correlation_id",
  },
  hook: {
    request: "hook_request",
    resolved: "hook_resolved",
    response: "hook_response",
    id: "correlation_id",
  },
  interrupt: {
    request: "interrupt",
    resolved: "interrupt_resolved",
    response: "interrupt_response",
    id: "interrupt_id",
  },
  tool_call: {
    request: "tool_call_request",
    resolved: "tool_call_resolved",
    response: "tool_call_response",
    id: "correlation_id",
  },
  budget: {
    request: "budget_request",
    resolved: "budget_resolved",
    response: "budget_response",
    id: "correlation_id",
  },
} as const;

export type RequestKind = keyof typeof requestKinds;
export type RequestTypeOf<Kind extends RequestKind> = (typeof requestKinds)[Kind]["request"];
export type ResolutionTypeOf<Kind extends RequestKind> = (typeof requestKinds)[Kind]["resolved"];
export type RequestIdOf<Kind extends RequestKind> = (typeof requestKinds)[Kind]["id"];

/** The event types that ask a person something. */
export type RequestType = RequestTypeOf<RequestKind>;

export const requestKindNames = Object.keys(requestKinds) as RequestKind[];
export const requestTypes = requestKindNames.map((kind) => requestKinds[kind].request);

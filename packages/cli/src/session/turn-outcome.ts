import {
  type AgentMessage,
  openRequests,
  type OpenRequest,
  requestKindOf,
  requestKinds,
  type SessionState,
  textOf,
} from "@turnwire/protocol";

/** How a turn that is over went. */
export interface TurnEnd {
  readonly hasFailed: boolean;
  readonly isStopped: boolean;
  /** What the agent said in it. */
  readonly text: string;
  readonly result: AgentMessage["result"];
}

/** How the turn that answers a message stands. */
export type TurnOutcome =
  | { readonly type: "pending" }
  | { readonly type: "waiting"; readonly turnId: string; readonly request: OpenRequest }
  | ({ readonly type: "ended"; readonly turnId: string } & TurnEnd);

/** A turn without a result counts as failed when it had an error. */
export function turnEnd({ messages }: SessionState, turnId: string): TurnEnd {
  const said = messages.filter(
    (message): message is AgentMessage => message.role === "agent" && message.turn_id === turnId,
  );
  const result = said.findLast((message) => message.result)?.result;
  const isStopped = said.some((message) => message.stopped === true);
  const hasError = said.some(({ blocks }) => blocks.some(({ type }) => type === "error"));
  return {
    hasFailed: isStopped || (result ? result.is_error : hasError),
    isStopped,
    text: said.map(textOf).filter(Boolean).join("\n\n"),
    result,
  };
}

/** Looks up what became of a message: its turn may not have begun, may wait for a person, may be over. */
export function turnOutcome(state: SessionState, messageId: string): TurnOutcome {
  const turnId = state.messages.findLast((message) => message.id === messageId)?.turn_id;
  if (turnId === undefined) return { type: "pending" };
  if (state.turn?.turn_id !== turnId) return { type: "ended", turnId, ...turnEnd(state, turnId) };
  const request = openRequests(state).find(
    (open) => open.turn_id === turnId && !(state.turn?.is_unattended && isRefused(open)),
  );
  return request ? { type: "waiting", turnId, request } : { type: "pending" };
}

/** Whether a request of an unattended turn ends by itself, at once. */
function isRefused(request: OpenRequest): boolean {
  const { askedBy, answeredBy } = requestKinds[requestKindOf(request)];
  return askedBy === "agent" && answeredBy === "person";
}

/** What a request is about, in a few words. */
export function requestSummary(request: OpenRequest): string {
  switch (request.type) {
    case "permission_request":
      return `permission to use ${request.data.tool_name}`;
    case "question_request":
      return `an answer: ${request.data.questions[0]?.question ?? ""}`;
    case "hook_request":
      return `a decision on the hook ${request.data.hook_event}`;
    case "interrupt":
      return `an answer to ${request.data.component_name}`;
    case "tool_call_request":
      return `the tool ${request.data.tool_name} of a user interface`;
    case "budget_request":
      return `a larger budget: ${request.data.reached.join(", ")} reached`;
  }
}

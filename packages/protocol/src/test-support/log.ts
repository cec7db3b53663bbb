import {
  type AgentMessage,
  type Block,
  draft,
  type EventDraft,
  fold,
  initialState,
  noCapabilities,
  type SessionEvent,
  type SessionState,
} from "../index.ts";

/** The place of most events in tests. */
export const inTurn = { turn_id: "t1" };

export const ready = draft("session_ready", {
  session_id: "s1",
  protocol_version: "1.0",
  runtime: "demo",
  capabilities: noCapabilities,
});

export function userMessage(message_id: string, delivery: "turn" | "queue" | "steer", text = "hi") {
  return draft("user_message", { message_id, content: [{ type: "text", text }], delivery });
}

export function started(turn_id: string, message_id?: string) {
  const data = message_id === undefined ? { turn_id } : { turn_id, message_id };
  return draft("turn_started", data, { turn_id });
}

export function done(turn_id: string) {
  return draft("done", { turn_id }, { turn_id });
}

export function delta(text: string, message_id = "m1", place: object = inTurn) {
  return draft("delta", { message_id, text }, place);
}

export function completed(message_id: string, content: object[], place: object = inTurn) {
  const message = { role: "assistant" as const, content: content as Record<string, string>[] };
  return draft("message_complete", { message_id, message }, place);
}

export function toolStarted(tool_use_id: string, facts: object = {}, place: object = inTurn) {
  return draft("tool_start", { message_id: "m1", tool_use_id, tool: "Bash", ...facts }, place);
}

export function toolEnded(tool_use_id: string, facts: object = {}, place: object = inTurn) {
  return draft("tool_result", { tool_use_id, output: "ok", is_error: false, ...facts }, place);
}

/** A session that is ready and answers the first message in turn t1. */
export const begun: readonly EventDraft[] = [ready, userMessage("u1", "turn"), started("t1", "u1")];

/** Drafts in the places that a log would give them. */
export function logOf(drafts: readonly EventDraft[]): SessionEvent[] {
  return drafts.map((event, index) => {
    const seq = index + 1;
    return { seq, ts: new Date(Date.UTC(2026, 10, 15) + seq).toISOString(), ...event };
  });
}

/** The state after a begun turn and what else happened, folded one by one. */
export function stateAfter(...drafts: EventDraft[]): SessionState {
  return logOf([...begun, ...drafts]).reduce(fold, initialState());
}

/** The blocks of the agent's only or newest message. */
export function blocksOf(state: SessionState): readonly Block[] {
  return agentMessages(state).at(-1)?.blocks ?? [];
}

export function agentMessages(state: SessionState): AgentMessage[] {
  return state.messages.filter((message) => message.role === "agent");
}

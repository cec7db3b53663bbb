import type { EventData, SessionFacts } from "@turnwire/protocol";
import type { Frame } from "@turnwire/wire";

interface KitMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The id of a session on this wire: the agent's, null before the agent has assigned one. An agent
 * that assigns none has ours.
 */
export function kitSessionId(session: SessionFacts): string | null {
  const { provider_session_id, session_id, capabilities } = session;
  return provider_session_id ?? (capabilities.resume ? null : session_id);
}

/** A frame of this wire. `sessionId` is null where there is no session yet, or it has no id. */
export function kitFrame(sessionId: string | null, { type, ...fields }: KitMessage): Frame {
  return { name: type, data: JSON.stringify({ type, sessionId, ...fields }) };
}

/** What changed of the session itself; an absent field did not. */
export function stateFrame(sessionId: string | null, sessionState: object): Frame {
  return kitFrame(sessionId, { type: "session_state_changed", sessionState });
}

/** The failure of a turn: the kit's own clients show nothing of a result. */
export function failureFrame(
  sessionId: string | null,
  { code, message, retryable }: EventData<"error">,
): Frame {
  return kitFrame(sessionId, { type: "error", error: message, code, retryable });
}

/** A message in JSON, with its time: clients sort by it. */
export function messageText({ data }: Frame, sessionId: string | null, timestamp: string): string {
  // It is an object that was made for this frame; this wire has no replayed messages.
  const { isReplay: _replayed, ...line } = JSON.parse(data) as Record<string, unknown>;
  return JSON.stringify({ ...line, session_id: sessionId ?? "", timestamp });
}

/** One more message; it is JSON text already. */
export function messageFrame(sessionId: string | null, message: string): Frame {
  const id = JSON.stringify(sessionId);
  const data = `{"type":"message_added","sessionId":${id},"message":${message}}`;
  return { name: "message_added", data };
}

/** All messages so far. */
export function messagesFrame(sessionId: string | null, messages: readonly string[]): Frame {
  const id = JSON.stringify(sessionId);
  const data = `{"type":"messages_updated","sessionId":${id},"messages":[${messages.join(",")}]}`;
  return { name: "messages_updated", data };
}

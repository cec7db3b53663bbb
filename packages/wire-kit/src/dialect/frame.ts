import type { Frame } from "@turnwire/wire";

interface KitMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A frame of this wire. `sessionId` is null where the connection has no session yet. */
export function kitFrame(sessionId: string | null, { type, ...fields }: KitMessage): Frame {
  return { name: type, data: JSON.stringify({ type, sessionId, ...fields }) };
}

/** What changed of the session itself; an absent field did not. */
export function stateFrame(sessionId: string | null, sessionState: object): Frame {
  return kitFrame(sessionId, { type: "session_state_changed", sessionState });
}

/** One more message; it is JSON text already. */
export function messageFrame(sessionId: string, message: string): Frame {
  const id = JSON.stringify(sessionId);
  const data = `{"type":"message_added","sessionId":${id},"message":${message}}`;
  return { name: "message_added", data };
}

/** All messages so far. */
export function messagesFrame(sessionId: string, messages: readonly string[]): Frame {
  const id = JSON.stringify(sessionId);
  const data = `{"type":"messages_updated","sessionId":${id},"messages":[${messages.join(",")}]}`;
  return { name: "messages_updated", data };
}

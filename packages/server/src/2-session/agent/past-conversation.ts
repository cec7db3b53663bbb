import { type SessionState, textOf } from "@turnwire/protocol";
import type { PastMessage } from "@turnwire/runtime";

/** The words of a session before the turn that runs. */
export function pastConversation({ messages, turn }: SessionState): PastMessage[] {
  return messages.flatMap((message) => {
    const isNow = turn !== null && message.turn_id === turn.turn_id;
    const text = isNow ? "" : textOf(message);
    return text === "" ? [] : [{ role: message.role, text }];
  });
}

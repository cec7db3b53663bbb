import type { SessionState, UserMessage } from "@turnwire/protocol";

/**
 * The message to send again after an error: that of the newest turn, if nothing was said or done
 * since and the error may pass; undefined otherwise.
 */
export function messageToRetry(state: SessionState, errorKey: string): UserMessage | undefined {
  const { session, turn, queue, messages } = state;
  if (session.is_closed || session.status === "archived" || turn || queue.length > 0) {
    return undefined;
  }
  const last = messages.at(-1);
  if (last?.role !== "agent" || last.turn_id === undefined) return undefined;
  const error = last.blocks.find(({ key }) => key === errorKey);
  if (error?.type !== "error" || !error.retryable) return undefined;
  const said = messages.findLast(
    (message) =>
      message.role === "user" && message.turn_id === last.turn_id && message.delivery !== "steer",
  );
  return said?.role === "user" ? said : undefined;
}

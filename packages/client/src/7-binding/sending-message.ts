import type { OutgoingMessage, SessionView } from "../6-session/session-view.ts";
import { ignoreRejection } from "./ignore-rejection.ts";
import type { WithSession } from "./with-session.ts";

/** A message of this client that is not in the log yet. */
export interface SendingMessage extends OutgoingMessage {
  /** Sends it again as it was, under its id, which does nothing twice. */
  readonly retry: () => void;
  readonly discard: () => void;
}

/** This client's messages on their way, oldest first: pending or failed. */
export function sendingMessages(
  sending: SessionView["sending"],
  withSession: WithSession,
): readonly SendingMessage[] {
  return Object.values(sending)
    .filter(({ status }) => status !== "sent")
    .map((message) => sendingMessage(message, withSession));
}

function sendingMessage(message: OutgoingMessage, withSession: WithSession): SendingMessage {
  const id = message.client_message_id;
  return {
    ...message,
    retry: () => ignoreRejection(withSession((session) => session.resend(id))),
    discard: () => ignoreRejection(withSession(async (session) => session.discard(id))),
  };
}

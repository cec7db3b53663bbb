import type { OutgoingMessage, SessionView } from "@turnwire/client";
import { detach } from "./detach.ts";
import type { WithSession } from "./session-request.ts";

/** A message of this client that is not in the log yet. */
export interface SendingMessage extends OutgoingMessage {
  /** Sends it again under its id, which does nothing twice. */
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
  const { client_message_id, content, delivery } = message;
  return {
    ...message,
    retry: () =>
      detach(
        withSession((session) =>
          delivery === "steer"
            ? session.steer(content, { client_message_id })
            : session.send(content, { client_message_id, delivery }),
        ),
      ),
    discard: () => detach(withSession(async (session) => session.discard(client_message_id))),
  };
}

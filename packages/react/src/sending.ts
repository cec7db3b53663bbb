import type { OutgoingMessage, SendOptions, Session, SessionView } from "@turnwire/client";
import type { SendMessage } from "@turnwire/protocol";
import { useCallback, useMemo } from "react";
import { detach } from "./detach.ts";
import { useSession } from "./session-provider.tsx";
import { useSessionSelector } from "./session-selector.ts";

/** A message of this client that is not in the log yet. */
export interface SendingMessage extends OutgoingMessage {
  /** Sends it again under its id, which does nothing twice. */
  readonly retry: () => void;
  readonly discard: () => void;
}

/** Sends a message; how that goes is seen in `useSending`. */
export function useSend(): (message: SendMessage["message"], options?: SendOptions) => void {
  const session = useSession();
  return useCallback((message, options) => detach(session.send(message, options)), [session]);
}

/** This client's messages on their way, oldest first: pending or failed. */
export function useSending(): readonly SendingMessage[] {
  const session = useSession();
  const sending = useSessionSelector(sendingOf);
  return useMemo(
    () =>
      Object.values(sending)
        .filter(({ status }) => status !== "sent")
        .map((message) => sendingMessage(session, message)),
    [session, sending],
  );
}

function sendingOf({ sending }: SessionView): SessionView["sending"] {
  return sending;
}

function sendingMessage(session: Session, message: OutgoingMessage): SendingMessage {
  const { client_message_id, content, delivery } = message;
  return {
    ...message,
    retry: () => {
      const say = delivery === "steer" ? "steer" : "send";
      detach(session[say](content, { client_message_id }));
    },
    discard: () => session.discard(client_message_id),
  };
}

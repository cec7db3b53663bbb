import { useConnection, useSession } from "@turnwire/react";
import { ignoreRejection } from "@turnwire/client/binding";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  isResendable,
  loadUnsent,
  missingFrom,
  saveUnsent,
  unsentAfter,
  type UnsentMessage,
} from "./unsent-message.ts";

/** A message from before the page was loaded, which the server does not have. */
export interface LeftMessage extends UnsentMessage {
  readonly retry: () => void;
  readonly discard: () => void;
}

/**
 * Keeps this page's messages until the log has them. What an earlier page left behind is sent again under its id, which
 * does nothing twice, or returned for the person to decide.
 */
export function useUnsent(): readonly LeftMessage[] {
  const session = useSession();
  const { status } = useConnection();
  const [left, setLeft] = useState<readonly UnsentMessage[]>([]);
  const isTaken = useRef(false);
  useEffect(() => {
    let before = session.getState().sending;
    return session.subscribe(() => {
      const { sending: after } = session.getState();
      if (after === before) return;
      const kept = unsentAfter(loadUnsent(session.id), { before, after, now: Date.now() });
      before = after;
      saveUnsent({ sessionId: session.id, kept });
    });
  }, [session]);
  const send = useCallback(
    ({ client_message_id, content, isSteering }: UnsentMessage) => {
      const delivery = isSteering ? { delivery: "steer" as const } : {};
      ignoreRejection(session.send(content, { client_message_id, ...delivery }));
    },
    [session],
  );
  useEffect(() => {
    // Only a complete log can show what it lacks.
    if (status !== "live" || isTaken.current) return;
    isTaken.current = true;
    const view = session.getState();
    const kept = missingFrom(loadUnsent(session.id), view);
    saveUnsent({ sessionId: session.id, kept });
    const foreign = kept.filter(({ client_message_id: id }) => !(id in view.sending));
    setLeft(foreign.filter((message) => !isResendable(message, Date.now())));
    for (const message of foreign) if (isResendable(message, Date.now())) send(message);
  }, [session, status, send]);
  const forget = (message: UnsentMessage): void =>
    setLeft((others) => others.filter((other) => other !== message));
  return left.map((message) => ({
    ...message,
    retry: () => {
      forget(message);
      send(message);
    },
    discard: () => {
      forget(message);
      const kept = loadUnsent(session.id).filter(
        ({ client_message_id: id }) => id !== message.client_message_id,
      );
      saveUnsent({ sessionId: session.id, kept });
    },
  }));
}

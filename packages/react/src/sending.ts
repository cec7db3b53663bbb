import type { SendOptions, SessionView } from "@turnwire/client";
import { ignoreRejection, sendingMessages, type SendingMessage } from "@turnwire/client/binding";
import type { MessageContent } from "@turnwire/protocol";
import { useCallback, useMemo } from "react";
import { useSession } from "./session-provider.tsx";
import { useSessionSelector } from "./session-selector.ts";

/** Sends a message; how that goes is seen in `useSending`. */
export function useSend(): (content: MessageContent, options?: SendOptions) => void {
  const session = useSession();
  return useCallback(
    (content, options) => ignoreRejection(session.send(content, options)),
    [session],
  );
}

/** This client's messages on their way, oldest first: pending or failed. */
export function useSending(): readonly SendingMessage[] {
  const session = useSession();
  const sending = useSessionSelector(sendingOf);
  return useMemo(() => sendingMessages(sending, (run) => run(session)), [session, sending]);
}

function sendingOf({ sending }: SessionView): SessionView["sending"] {
  return sending;
}

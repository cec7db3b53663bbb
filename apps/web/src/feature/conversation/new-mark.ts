import { useSending, useSession } from "@turnwire/react";
import { useEffect, useRef, useState } from "react";
import { useReturn } from "../seen/use-return.ts";

/**
 * The first message that came while the person was away; undefined if there is none. It is marked
 * until they scroll to the end with the window in focus, or send a message: opening a conversation at
 * its end does not mean that it was read.
 */
export function useNewMark(isAtEnd: boolean): string | undefined {
  const session = useSession();
  const [messageId, setMessageId] = useState<string>();
  const hasLeftEnd = useRef(false);
  const isSending = useSending().length > 0;
  useReturn((since) => {
    const { messages } = session.getState().session;
    const index = messages.findIndex(({ seq }) => seq > since);
    hasLeftEnd.current = !isAtEnd;
    // If everything is new, a mark is useless.
    setMessageId(index > 0 ? messages[index]?.id : undefined);
  });
  useEffect(() => {
    if (isSending) setMessageId(undefined);
  }, [isSending]);
  useEffect(() => {
    if (!isAtEnd) hasLeftEnd.current = true;
    const onRead = (): void => {
      if (isAtEnd && hasLeftEnd.current && document.hasFocus()) setMessageId(undefined);
    };
    onRead();
    addEventListener("focus", onRead);
    return () => removeEventListener("focus", onRead);
  }, [isAtEnd]);
  return messageId;
}

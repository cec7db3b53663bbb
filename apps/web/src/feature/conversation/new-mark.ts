import { useSending, useSession } from "@turnwire/react";
import { useEffect, useRef, useState } from "react";
import { useReturn } from "../seen/use-return.ts";

/**
 * The first message that came while a person was away; undefined where there is none. It is told until
 * they come to the end from above with the window in focus, or say something: a conversation that is
 * opened at its end was not read by that.
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
    // Where all is new, a mark above it says nothing.
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

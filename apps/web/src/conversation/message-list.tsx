import { useConnection, useMessageIds, useSending } from "@turnwire/react";
import { useRef } from "react";
import { IconButton } from "../element/icon-button.tsx";
import { MessageView } from "./message-view.tsx";
import style from "./message-list.module.css";
import { OutgoingView } from "./outgoing-view.tsx";
import { useStickToEnd } from "./stick-to-end.ts";

/** Everything said so far. It stays at the end while a person is there, and where they are otherwise. */
export function MessageList() {
  const ids = useMessageIds();
  const sending = useSending();
  const { status } = useConnection();
  const list = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd } = useStickToEnd(list);
  const isLoaded = ids.length > 0 || status === "live";
  return (
    <div className={style.frame}>
      <div
        ref={list}
        className={style.scroll}
        role="log"
        aria-label="Conversation"
        aria-busy={!isLoaded}
        tabIndex={0}
      >
        <div className={style.column}>
          {ids.map((id) => (
            <MessageView key={id} id={id} />
          ))}
          {sending.map((message) => (
            <OutgoingView key={message.client_message_id} message={message} />
          ))}
          {isLoaded && ids.length === 0 && sending.length === 0 && (
            <p className={style.empty}>Nothing said yet. Write the first message below.</p>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <IconButton
          icon="arrow_down"
          label="Go to the newest message"
          className={style.end}
          onClick={goToEnd}
        />
      )}
    </div>
  );
}

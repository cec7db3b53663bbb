import type { SendingMessage } from "@turnwire/react";
import style from "./outgoing-view.module.css";
import { UserContent } from "./user-content.tsx";

/** A message of this window that the server does not have yet. */
export function OutgoingView({ message }: { readonly message: SendingMessage }) {
  const { content, status, error, retry, discard } = message;
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return (
    <article className={style.message} aria-label="You" data-status={status}>
      <div className={style.bubble}>
        <UserContent id={message.client_message_id} content={blocks} />
      </div>
      {status === "failed" && (
        <p className={style.failed} role="alert">
          Not sent: {error?.message}{" "}
          <button type="button" onClick={retry}>
            Try again
          </button>{" "}
          <button type="button" onClick={discard}>
            Discard
          </button>
        </p>
      )}
    </article>
  );
}

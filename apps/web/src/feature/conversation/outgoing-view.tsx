import { useSend, useTurn, type SendingMessage } from "@turnwire/react";
import style from "./outgoing-view.module.css";
import { UserContent } from "./user-content.tsx";

/** A message that the server has not received yet. */
export function OutgoingView({ message }: { readonly message: SendingMessage }) {
  const { content, status, error, discard } = message;
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return (
    <article className={style.message} aria-label="You" data-status={status}>
      <div className={style.content}>
        <UserContent id={message.client_message_id} content={blocks} />
      </div>
      {status === "failed" && (
        <p className={style.failed} role="alert">
          Not sent: {error?.message} <SendAgain message={message} />{" "}
          <button type="button" onClick={discard}>
            Discard
          </button>
        </p>
      )}
    </article>
  );
}

/** A steering message for a turn that has ended would be refused again, so it is sent as a normal one. */
function SendAgain({ message }: { readonly message: SendingMessage }) {
  const { content, delivery, retry, discard } = message;
  const { isRunning } = useTurn();
  const send = useSend();
  if (delivery !== "steer" || isRunning) {
    return (
      <button type="button" onClick={retry}>
        Try again
      </button>
    );
  }
  return (
    <button
      type="button"
      onClick={() => {
        discard();
        send(content);
      }}
    >
      Send as a message
    </button>
  );
}

import type { ReactNode } from "react";
import { useSend, useTurn, type SendingMessage } from "@turnwire/react";
import { plainError } from "../../element/plain-error.ts";
import { counted } from "../../element/figure.ts";
import style from "./outgoing-view.module.css";
import type { LeftMessage } from "./use-unsent.ts";
import { UserContent } from "./user-content.tsx";

/** A message that the server has not received yet. */
export function OutgoingView({ message }: { readonly message: SendingMessage }) {
  const { client_message_id: id, content, status, error, discard } = message;
  return (
    <Outgoing id={id} content={content} status={status}>
      {status === "failed" && (
        <NotSent problem={error && plainError(error)} onDiscard={discard}>
          <SendAgain message={message} />
        </NotSent>
      )}
    </Outgoing>
  );
}

/** A message that was not sent before the page was loaded. */
export function LeftView({ message }: { readonly message: LeftMessage }) {
  const { client_message_id: id, content, problem, lostFiles, retry, discard } = message;
  const lost = lostFiles === undefined ? undefined : `${counted(lostFiles, "attachment")} lost.`;
  return (
    <Outgoing id={id} content={content} status="failed">
      <NotSent problem={problem ?? lost} onDiscard={discard}>
        {content.length > 0 && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </NotSent>
    </Outgoing>
  );
}

interface OutgoingProps extends Pick<SendingMessage, "content" | "status"> {
  readonly id: string;
  readonly children: ReactNode;
}

function Outgoing({ id, content, status, children }: OutgoingProps) {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return (
    <article className={`stack gap-2 ${style.message}`} aria-label="You" data-status={status}>
      <div className={`user-words ${style.content}`}>
        <UserContent id={id} content={blocks} />
      </div>
      {children}
    </article>
  );
}

interface NotSentProps {
  readonly problem: string | undefined;
  readonly onDiscard: () => void;
  /** The way to send it again. */
  readonly children: ReactNode;
}

function NotSent({ problem, onDiscard, children }: NotSentProps) {
  return (
    <p className={`small bad ${style.failed}`} role="alert">
      {problem === undefined ? "Not sent." : `Not sent: ${problem}`} {children}{" "}
      <button type="button" onClick={onDiscard}>
        Discard
      </button>
    </p>
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

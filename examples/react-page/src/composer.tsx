import { useActivity, useConnection, useSend, useSending, useTurn } from "@turnwire/react";
import { useState, type FormEvent, type ReactNode } from "react";

const suggestions = ["/markdown", "/permission", "/question", "/components", "/interrupt", "/slow"];

export function Composer(): ReactNode {
  const send = useSend();
  const { isRunning, isCancelling, interrupt } = useTurn();
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    send(text);
    setText("");
  };
  return (
    <form className="composer" onSubmit={submit}>
      <Sending />
      <Status />
      <div className="row">
        <input
          aria-label="Message"
          placeholder="Say something"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button className="primary">Send</button>
        {isRunning && (
          <button type="button" disabled={isCancelling} onClick={() => void interrupt()}>
            {isCancelling ? "Stopping" : "Stop"}
          </button>
        )}
      </div>
      <div className="row">
        {suggestions.map((suggestion) => (
          <button key={suggestion} type="button" className="chip" onClick={() => send(suggestion)}>
            {suggestion}
          </button>
        ))}
      </div>
    </form>
  );
}

function Status(): ReactNode {
  const { status, error } = useConnection();
  const activity = useActivity();
  const words = status === "live" ? activity.label : (error?.message ?? status);
  return (
    <p role="status" className="quiet">
      {words}
    </p>
  );
}

function Sending(): ReactNode {
  return useSending().map(({ client_message_id, content, status, error, retry, discard }) => (
    <p key={client_message_id} className="user" data-status={status}>
      {typeof content === "string" ? content : "A message"}
      {status === "failed" && (
        <>
          <small> {error?.message}</small>
          <button type="button" onClick={retry}>
            Send again
          </button>
          <button type="button" onClick={discard}>
            Forget
          </button>
        </>
      )}
    </p>
  ));
}

import { useSend, useSessionSelector, useTurn } from "@turnwire/react";
import { useState } from "react";
import { detach } from "../app/detach.ts";
import { showError } from "../toast/toast.ts";
import style from "./composer.module.css";
import { ComposerField } from "./composer-field.tsx";
import { SendButton } from "./send-button.tsx";

/** Where a person writes to the agent. While a turn runs, what is sent waits for its end. */
export function Composer() {
  const [text, setText] = useState("");
  const send = useSend();
  const { isRunning, isCancelling, interrupt } = useTurn();
  const { status, is_closed: isClosed } = useSessionSelector((view) => view.session.session);
  const submit = (): void => {
    if (text.trim() === "") return;
    send(text);
    setText("");
  };
  if (isClosed) return <p className={style.ended}>This session was deleted.</p>;
  if (status === "archived") return <p className={style.ended}>This session is archived.</p>;
  return (
    <form
      className={style.composer}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ComposerField
        label="Message"
        placeholder={isRunning ? "Write what comes next" : "Write a message"}
        value={text}
        onChange={setText}
        onSubmit={submit}
      />
      <div className={style.foot}>
        <span className={style.hint}>Enter sends, Shift Enter breaks the line</span>
        {isRunning && text.trim() === "" ? (
          <SendButton
            icon="stop"
            label={isCancelling ? "Stopping" : "Stop the turn"}
            disabled={isCancelling}
            onClick={() => detach(interrupt(), showError)}
          />
        ) : (
          <SendButton icon="arrow_up" label="Send" disabled={text.trim() === ""} onClick={submit} />
        )}
      </div>
    </form>
  );
}

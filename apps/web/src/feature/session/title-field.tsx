import { detach } from "@turnwire/base";
import { useClient } from "@turnwire/react";
import { useRef } from "react";
import { showError } from "../../element/toast.ts";
import type { NamedSession } from "./session-title.ts";
import style from "./title-field.module.css";

interface TitleFieldProps {
  readonly session: NamedSession;
  readonly onDone: () => void;
}

/** Edits a session's title: Enter or leaving the field saves it, Escape cancels. */
export function TitleField({ session, onDone }: TitleFieldProps) {
  const client = useClient();
  const isCancelled = useRef(false);
  const save = (value: string): void => {
    const title = value.trim();
    if (!isCancelled.current && title !== "" && title !== session.title) {
      detach(client.sessions.update(session.session_id, { title }), showError);
    }
    onDone();
  };
  return (
    <input
      className={style.field}
      aria-label="Session title"
      defaultValue={session.title ?? ""}
      maxLength={500}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => save(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") isCancelled.current = true;
        if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

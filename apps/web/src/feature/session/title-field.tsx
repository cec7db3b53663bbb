import { detach } from "@turnwire/base";
import { useClient } from "@turnwire/react";
import { useRef } from "react";
import { showError } from "../../element/toast.ts";
import type { NamedSession } from "./session-title.ts";
import style from "./title-field.module.css";

interface TitleFieldProps {
  readonly session: NamedSession;
  /** By a key: the focus has to go somewhere. */
  readonly onDone: (isByKey: boolean) => void;
}

/** Edits a session's title: Enter or leaving the field saves it, Escape cancels. */
export function TitleField({ session, onDone }: TitleFieldProps) {
  const client = useClient();
  const endingKey = useRef<"Enter" | "Escape">(undefined);
  const save = (value: string): void => {
    const title = value.trim();
    if (endingKey.current !== "Escape" && title !== "" && title !== session.title) {
      detach(client.sessions.update(session.session_id, { title }), showError);
    }
    onDone(endingKey.current !== undefined);
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
        if (event.key !== "Escape" && event.key !== "Enter") return;
        endingKey.current = event.key;
        event.currentTarget.blur();
      }}
    />
  );
}

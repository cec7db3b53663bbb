import { useRef, useState } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import style from "./login-dialog.module.css";

interface LoginNameProps {
  readonly name: string;
  readonly onRename: (name: string) => void;
}

/** The name of a log-in, editable: Enter or leaving the field saves it, Escape cancels. */
export function LoginName({ name, onRename }: LoginNameProps) {
  const [isEditing, setEditing] = useState(false);
  const isCancelled = useRef(false);
  if (!isEditing) {
    return (
      <span className={`row gap-2 shrink ${style.name}`}>
        <strong>{name}</strong>
        <IconButton
          icon="pencil"
          label={`Rename ${name}`}
          onClick={() => {
            isCancelled.current = false;
            setEditing(true);
          }}
        />
      </span>
    );
  }
  const save = (value: string): void => {
    const next = value.trim();
    if (!isCancelled.current && next !== "" && next !== name) onRename(next);
    setEditing(false);
  };
  return (
    <input
      className={style.field}
      aria-label="Browser name"
      defaultValue={name}
      maxLength={100}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => save(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Escape would close the dialog as well.
        if (event.key === "Escape") {
          event.preventDefault();
          isCancelled.current = true;
        }
        if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

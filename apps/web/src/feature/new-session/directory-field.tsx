import { useId, useState } from "react";
import { Icon } from "../../element/icon.tsx";
import style from "./directory-field.module.css";
import { useDirectoryCompletion } from "./use-directory-completion.ts";

interface DirectoryFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Where the agent works, with completion of the server's directories. Tab or Enter takes one and continues below it. */
export function DirectoryField({ value, onChange }: DirectoryFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const directories = useDirectoryCompletion(value, isOpen);
  const offers = isOpen ? directories.filter((path) => path !== value) : [];
  const index = Math.min(chosen, offers.length - 1);
  const take = (path: string): void => {
    onChange(`${path}/`);
    setChosen(0);
  };
  return (
    <div className={style.field}>
      <Icon name="folder" size={16} />
      <input
        role="combobox"
        aria-label="Working directory"
        aria-expanded={offers.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={offers.length > 0 ? `${id}-${index}` : undefined}
        placeholder="The server's working directory"
        spellCheck={false}
        autoComplete="off"
        value={value}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          onChange(value.length > 1 ? value.replace(/\/+$/, "") : value);
        }}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setOpen(true);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const offer = offers[index];
          if (event.key === "ArrowDown") setChosen(Math.min(index + 1, offers.length - 1));
          else if (event.key === "ArrowUp") setChosen(Math.max(index - 1, 0));
          else if (event.key === "Escape" && offer !== undefined) setOpen(false);
          else if ((event.key === "Tab" || event.key === "Enter") && offer !== undefined) {
            if (event.shiftKey) return;
            take(offer);
          } else return;
          event.preventDefault();
        }}
      />
      {offers.length > 0 && (
        <ul id={id} role="listbox" aria-label="Directories" className={style.offers}>
          {offers.map((path, place) => (
            <li
              key={path}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === index}
              onMouseDown={(event) => {
                event.preventDefault();
                take(path);
              }}
            >
              {path}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

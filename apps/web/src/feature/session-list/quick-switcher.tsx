import { useId, useState } from "react";
import { openBeside, showSession } from "../navigation/navigation.ts";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./quick-switcher.module.css";
import { searchSessions } from "./session-group.ts";
import { SessionStatusDot } from "../session/session-status.tsx";
import { lastPart, titleOf } from "../session/session-title.ts";
import { useSessionList } from "../session/sessions.tsx";

const SHOWN = 50;

/** Finds a session by a few letters: arrows choose, Enter opens it, Ctrl Enter opens it side by side. */
export function QuickSwitcher({ onClose }: { readonly onClose: () => void }) {
  const { sessions } = useSessionList();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const found = searchSessions(sessions, query).slice(0, SHOWN);
  const index = Math.min(chosen, Math.max(0, found.length - 1));
  const open = (sessionId: string | undefined, isBeside = false): void => {
    if (sessionId === undefined) return;
    onClose();
    if (isBeside) openBeside(sessionId);
    else showSession(sessionId);
  };
  return (
    <Dialog title="Find a session" isTitleHidden onClose={onClose}>
      <div className={style.search}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${index}` : undefined}
          aria-label="Find a session"
          placeholder="Find a session by title, directory or runtime"
          value={query}
          autoFocus
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") setChosen(Math.min(index + 1, found.length - 1));
            else if (event.key === "ArrowUp") setChosen(Math.max(index - 1, 0));
            else if (event.key === "Enter") {
              open(found[index]?.session_id, event.ctrlKey || event.metaKey);
            } else return;
            event.preventDefault();
          }}
        />
      </div>
      <ul id={id} role="listbox" aria-label="Sessions" className={style.list}>
        {found.map((session, place) => (
          <li
            key={session.session_id}
            id={`${id}-${place}`}
            ref={(item) => {
              if (place === index) item?.scrollIntoView({ block: "nearest" });
            }}
            role="option"
            aria-selected={place === index}
            className={style.option}
            onMouseMove={() => setChosen(place)}
            onClick={() => open(session.session_id)}
          >
            <SessionStatusDot session={session} />
            <span className={style.title}>{titleOf(session)}</span>
            <span className={style.facts}>
              {[session.runtime, lastPart(session.cwd ?? "")].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={style.empty}>No sessions match.</p>}
    </Dialog>
  );
}

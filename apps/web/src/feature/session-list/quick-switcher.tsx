import type { SessionInfo, SessionMatch } from "@turnwire/protocol";
import { useId, useState } from "react";
import { openBeside, showSession } from "../navigation/navigation.ts";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";
import { useKeptOrder } from "../../element/kept-order.ts";
import style from "./quick-switcher.module.css";
import { searchSessions } from "./session-group.ts";
import { SessionStatusDot } from "../session/session-status.tsx";
import { lastPart, titleOf } from "../session/session-title.ts";
import { useSessionList } from "../session/sessions.tsx";
import { type TextSearch, useTextSearch } from "./use-text-search.ts";

const SHOWN = 50;

/** A session with what was found in its messages, where it was found there. */
interface Found {
  readonly session: SessionInfo;
  readonly match?: SessionMatch;
}

/** Sessions by title, directory or runtime first, then by what was said in them. */
function foundBy(
  sessions: readonly SessionInfo[],
  query: string,
  matches: readonly SessionMatch[],
): Found[] {
  const said = new Map(matches.map((match) => [match.session.session_id, match]));
  const named = searchSessions(sessions, query).map((session): Found => {
    const match = said.get(session.session_id);
    said.delete(session.session_id);
    return { session, ...(match && { match }) };
  });
  const others = [...said.values()].map((match) => ({ session: match.session, match }));
  return [...named.slice(0, SHOWN), ...others];
}

function noteFor({ status, isComplete }: TextSearch, count: number): string | undefined {
  if (status === "failed") return "Messages could not be searched. Titles only.";
  if (count === 0) return status === "searching" ? "Searching…" : "No sessions match.";
  return isComplete ? undefined : "Older sessions are still being indexed.";
}

function idOf({ session_id: id }: SessionInfo): string {
  return id;
}

/** Finds a session by a few words: arrows choose, Enter opens it, Ctrl Enter opens it side by side. */
export function QuickSwitcher({ onClose }: { readonly onClose: () => void }) {
  const sessions = useKeptOrder(useSessionList().sessions, idOf);
  const [query, setQuery] = useState("");
  const [chosenId, choose] = useState<string>();
  const id = useId();
  const search = useTextSearch(query);
  const found = foundBy(sessions, query, search.matches);
  const chosen = found.findIndex(({ session }) => session.session_id === chosenId);
  const index = Math.max(0, chosen);
  const chooseAt = (place: number): void => choose(found[place]?.session.session_id);
  const note = noteFor(search, found.length);
  const open = (sessionId: string | undefined, isBeside = false): void => {
    if (sessionId === undefined) return;
    onClose();
    if (isBeside) openBeside(sessionId);
    else showSession(sessionId);
  };
  return (
    <Dialog title="Find a session" isTitleHidden onClose={onClose}>
      <div className="dialog-search row gap-3 rigid faint">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${index}` : undefined}
          aria-label="Find a session"
          placeholder="Search titles, folders and messages"
          value={query}
          autoFocus
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            choose(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") chooseAt(Math.min(index + 1, found.length - 1));
            else if (event.key === "ArrowUp") chooseAt(Math.max(index - 1, 0));
            else if (event.key === "Enter") {
              open(found[index]?.session.session_id, event.ctrlKey || event.metaKey);
            } else return;
            event.preventDefault();
          }}
        />
      </div>
      <ul id={id} role="listbox" aria-label="Sessions" className={style.list}>
        {found.map(({ session, match }, place) => (
          <li
            key={session.session_id}
            id={`${id}-${place}`}
            ref={(item) => {
              if (place === index) item?.scrollIntoView({ block: "nearest" });
            }}
            role="option"
            aria-selected={place === index}
            className={`row gap-3 ${style.option}`}
            onMouseMove={() => chooseAt(place)}
            onClick={() => open(session.session_id)}
          >
            <SessionStatusDot session={session} />
            <span className={`grow shrink ${style.body}`}>
              <span className="cut">{titleOf(session)}</span>
              {match && <Snippet match={match} />}
            </span>
            <span className="rigid tiny faint">
              {[session.runtime, lastPart(session.cwd ?? "")].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      <p className={`if-any ${style.empty}`} role="status">
        {note}
      </p>
    </Dialog>
  );
}

function Snippet({ match }: { readonly match: SessionMatch }) {
  return (
    <span className={`cut tiny faint ${style.snippet}`} dir="auto">
      {match.role === "user" ? "You: " : ""}
      {match.snippet.map(({ text, is_match }, place) =>
        // The pieces have no ids of their own and never move.
        is_match ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
      )}
    </span>
  );
}

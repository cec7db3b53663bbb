import { useState } from "react";
import { Header } from "../page/header.tsx";
import { Icon } from "../../element/icon.tsx";
import { hasWords } from "../../element/has-words.ts";
import { PastSessionList } from "./past-session-list.tsx";
import style from "./past-session-page.module.css";
import { usePastSessions } from "./use-past-sessions.ts";

/** All sessions that can be imported. */
export function PastSessionPage() {
  const { sessions, importing, take } = usePastSessions();
  const [query, setQuery] = useState("");
  const found = (sessions ?? []).filter(({ title = "", cwd = "", runtime }) =>
    hasWords(`${title} ${cwd} ${runtime}`, query),
  );
  return (
    <>
      <Header title="Import" />
      <div className="scroll">
        <div className={`measure stack gap-4 ${style.column}`}>
          <h1>Agent sessions on this machine</h1>
          <p>
            Pick up sessions from the command line: the whole conversation is imported, and the
            agent continues it.
          </p>
          {sessions?.length === 0 && (
            <p className={style.empty}>
              There are none. Sessions of Claude Code and Codex appear here once you have used them.
            </p>
          )}
          {sessions === undefined && <p role="status">Loading…</p>}
          {sessions !== undefined && sessions.length > 0 && (
            <>
              <label className={`row gap-2 faint ${style.search}`}>
                <Icon name="search" size={16} />
                <input
                  type="search"
                  aria-label="Find a session to import"
                  placeholder="Find by title, directory or runtime"
                  value={query}
                  onChange={(event) => setQuery(event.currentTarget.value)}
                />
              </label>
              {found.length > 0 ? (
                <PastSessionList sessions={found} importing={importing} onImport={take} />
              ) : (
                <p className={style.empty}>No sessions match.</p>
              )}
            </>
          )}
        </div>
      </div>
    </>
  );
}

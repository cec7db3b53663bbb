import { Header } from "../app/header.tsx";
import { PastSessionList } from "./past-session-list.tsx";
import style from "./past-session-page.module.css";
import { usePastSessions } from "./use-past-sessions.ts";

/** All sessions that can be imported. */
export function PastSessionPage() {
  const { sessions, importing, take } = usePastSessions();
  return (
    <>
      <Header title="Import" />
      <div className={style.page}>
        <div className={style.column}>
          <h1>Sessions of the agents on this machine</h1>
          <p>
            What you began in a terminal can go on here: the whole conversation comes along, and the
            agent goes on with it.
          </p>
          {sessions?.length === 0 && (
            <p className={style.empty}>
              There are none. Sessions of Claude Code and Codex appear here once you have used them.
            </p>
          )}
          {sessions !== undefined && sessions.length > 0 && (
            <PastSessionList sessions={sessions} importing={importing} onImport={take} />
          )}
        </div>
      </div>
    </>
  );
}

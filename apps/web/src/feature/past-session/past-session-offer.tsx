import { Link } from "../navigation/link.tsx";
import { PastSessionList } from "./past-session-list.tsx";
import style from "./past-session-offer.module.css";
import { usePastSessions } from "./use-past-sessions.ts";

const OFFERED = 3;

/** The newest sessions that can be imported, if there are any. */
export function PastSessionOffer() {
  const { sessions, importing, take } = usePastSessions();
  if (!sessions || sessions.length === 0) return null;
  return (
    <section className={`stack gap-3 ${style.offer}`} aria-label="Import">
      <div className="line spread small">
        <h2 className="small medium soft">Continue a terminal session</h2>
        {sessions.length > OFFERED && <Link to={{ type: "past" }}>All {sessions.length}</Link>}
      </div>
      <PastSessionList
        sessions={sessions.slice(0, OFFERED)}
        importing={importing}
        onImport={take}
      />
    </section>
  );
}

import type { PastSession } from "@turnwire/protocol";
import { Button } from "../../element/button.tsx";
import { relativeTime } from "../../element/relative-time.ts";
import { lastPart } from "../session/session-title.ts";
import { useNow } from "../../element/use-now.ts";
import style from "./past-session-list.module.css";

interface PastSessionListProps {
  readonly sessions: readonly PastSession[];
  readonly importing: string | undefined;
  readonly onImport: (past: PastSession) => void;
}

/** Past sessions as rows, each with a button to import it. */
export function PastSessionList({ sessions, importing, onImport }: PastSessionListProps) {
  const now = useNow();
  return (
    <ul className="rows">
      {sessions.map((past) => (
        <li
          key={`${past.runtime} ${past.provider_session_id}`}
          className={`row gap-4 ${style.row}`}
        >
          <div className="stack grow shrink">
            <span className="cut small medium">{past.title ?? "Untitled"}</span>
            <span className="cut tiny faint" title={past.cwd}>
              {[past.runtime, lastPart(past.cwd ?? ""), relativeTime(past.updated_at, now)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </div>
          <Button
            disabled={importing !== undefined}
            aria-label={`Import ${past.title ?? "this session"}`}
            onClick={() => onImport(past)}
          >
            {importing === past.provider_session_id ? "Importing…" : "Import"}
          </Button>
        </li>
      ))}
    </ul>
  );
}

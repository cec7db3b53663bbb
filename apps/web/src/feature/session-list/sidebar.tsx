import { useMemo, useState } from "react";
import { Link } from "../navigation/link.tsx";
import type { Route } from "../navigation/route.ts";
import { SettingsMenu } from "../settings/settings-menu.tsx";
import { IconButton } from "../../element/icon-button.tsx";
import { Icon } from "../../element/icon.tsx";
import { keyName } from "../../element/key-name.ts";
import { Mark } from "../../element/mark.tsx";
import { groupSessions } from "./session-group.ts";
import { SessionRow } from "./session-row.tsx";
import { useSessionList } from "../session/sessions.tsx";
import style from "./sidebar.module.css";
import { useNow } from "../../element/use-now.ts";

interface SidebarProps {
  readonly route: Route;
  readonly onSearch: () => void;
  readonly onClose: () => void;
}

/** All sessions, and the link to start one. */
export function Sidebar({ route, onSearch, onClose }: SidebarProps) {
  return (
    <nav className={style.sidebar} aria-label="Sessions">
      <div className={style.top}>
        <Link to={{ type: "home" }} className={style.brand}>
          <Mark size={22} /> Turnwire
        </Link>
        <IconButton
          icon="search"
          label={`Find a session (${keyName("Ctrl K")})`}
          onClick={onSearch}
        />
        <IconButton icon="close" label="Hide sessions" className={style.close} onClick={onClose} />
      </div>
      <Link
        to={{ type: "home" }}
        className={style.start}
        aria-current={route.type === "home" ? "page" : undefined}
      >
        <Icon name="plus" size={16} /> New session
      </Link>
      <SessionGroups route={route} />
      <ConnectionNote />
      <div className={style.foot}>
        <Link to={{ type: "past" }} className={style.footLink}>
          <Icon name="download" size={16} /> Import
        </Link>
        <SettingsMenu />
      </div>
    </nav>
  );
}

/** Shown while the list may be out of date. */
function ConnectionNote() {
  const { status, refresh } = useSessionList();
  const isBroken = status === "waiting" || status === "failed";
  return (
    <div role="status">
      {isBroken && (
        <p className={style.note}>
          The server cannot be reached.{" "}
          <button type="button" onClick={refresh}>
            Try now
          </button>
        </p>
      )}
    </div>
  );
}

function SessionGroups({ route }: { readonly route: Route }) {
  const { sessions, status, hasMore, loadMore } = useSessionList();
  const [isArchiveOpen, setArchiveOpen] = useState(false);
  const now = useNow();
  const groups = useMemo(() => groupSessions(sessions, now), [sessions, now]);
  const currentId = route.type === "session" ? route.sessionId : undefined;
  if (groups.length === 0) {
    return (
      <div className={style.list}>
        {status !== "loading" && (
          <p className={style.empty}>No sessions yet. Your first one appears here.</p>
        )}
      </div>
    );
  }
  return (
    <div className={style.list}>
      {groups.map((group) => {
        const isShown = group.label !== "Archived" || isArchiveOpen;
        return (
          <section key={group.label} aria-label={group.label}>
            <h2 className={style.label}>
              {group.label === "Archived" ? (
                <button
                  type="button"
                  aria-expanded={isArchiveOpen}
                  onClick={() => setArchiveOpen(!isArchiveOpen)}
                >
                  Archived ({group.sessions.length})
                </button>
              ) : (
                group.label
              )}
            </h2>
            {isShown && (
              <ul>
                {group.sessions.map((session) => (
                  <SessionRow
                    key={session.session_id}
                    session={session}
                    isCurrent={session.session_id === currentId}
                    now={now}
                  />
                ))}
              </ul>
            )}
          </section>
        );
      })}
      {hasMore && (
        <button type="button" className={style.more} onClick={() => void loadMore()}>
          Show older sessions
        </button>
      )}
    </div>
  );
}

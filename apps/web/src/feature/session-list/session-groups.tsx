import { useMemo } from "react";
import { useNow } from "../../element/use-now.ts";
import type { Route } from "../navigation/route.ts";
import { useProjects } from "../project/projects.tsx";
import { useSessionList } from "../session/sessions.tsx";
import { GroupSection } from "./group-section.tsx";
import { groupSessions } from "./session-group.ts";
import style from "./sidebar.module.css";

/** The sessions by project. */
export function SessionGroups({ route }: { readonly route: Route }) {
  const { sessions, status, hasMore, loadMore } = useSessionList();
  const { list: projects } = useProjects();
  const now = useNow();
  const groups = useMemo(() => groupSessions(sessions, projects), [sessions, projects]);
  const currentId = route.type === "session" ? route.sessionId : undefined;
  return (
    <div className={style.list}>
      {groups.map((group) => (
        <GroupSection key={group.key} group={group} currentId={currentId} now={now} />
      ))}
      {sessions.length === 0 && status !== "loading" && (
        <p className={style.empty}>No sessions yet. Your first one appears here.</p>
      )}
      {hasMore && (
        <button type="button" className={style.more} onClick={() => void loadMore()}>
          Show older sessions
        </button>
      )}
    </div>
  );
}

import type { SessionInfo } from "@turnwire/protocol";
import { useLayoutEffect, useMemo, useRef } from "react";
import { usePress } from "../../element/press.ts";
import { useNow } from "../../element/use-now.ts";
import type { Route } from "../navigation/route.ts";
import { useProjects } from "../project/projects.tsx";
import { useSessionList } from "../session/sessions.tsx";
import { GroupSection } from "./group-section.tsx";
import { groupsInPlace } from "./kept-place.ts";
import { useIsListHeld } from "./list-hold.ts";
import { useRowFocus } from "./row-focus.ts";
import { groupSessions, type SessionGroup } from "./session-group.ts";
import style from "./sidebar.module.css";

/** The sessions by project. */
export function SessionGroups({ route }: { readonly route: Route }) {
  const { sessions, status, hasMore, loadMore } = useSessionList();
  const { isPressed, onPointerDown } = usePress();
  const groups = useGroups(sessions, isPressed);
  const list = useRef<HTMLDivElement>(null);
  const rowFocus = useRowFocus(list);
  const now = useNow();
  const currentId = route.type === "session" ? route.sessionId : undefined;
  return (
    <div ref={list} className={style.list} onPointerDown={onPointerDown} {...rowFocus}>
      {groups.map((group) => (
        <GroupSection key={group.key} group={group} currentId={currentId} now={now} />
      ))}
      {sessions.length === 0 && status === "live" && (
        <p className={`small faint ${style.empty}`}>
          No sessions yet. Your first one appears here.
        </p>
      )}
      {hasMore && (
        <button
          type="button"
          className={`small soft ${style.more}`}
          onClick={() => void loadMore()}
        >
          Show older sessions
        </button>
      )}
    </div>
  );
}

/**
 * The groups as they are to be shown: none until it is known to which projects the sessions belong, and none of the
 * news while one of them is pressed.
 */
function useGroups(sessions: readonly SessionInfo[], isPressed: boolean): readonly SessionGroup[] {
  const { list: projects, isLoaded, problem } = useProjects();
  const isHeld = useIsListHeld();
  const shown = useRef<readonly SessionGroup[]>([]);
  const areKnown = isLoaded || problem !== undefined;
  const groups = useMemo(() => {
    if (!areKnown) return [];
    if (isPressed) return shown.current;
    const newest = groupSessions(sessions, projects);
    return isHeld ? groupsInPlace(shown.current, newest) : newest;
  }, [sessions, projects, areKnown, isHeld, isPressed]);
  useLayoutEffect(() => {
    shown.current = groups;
  }, [groups]);
  return groups;
}

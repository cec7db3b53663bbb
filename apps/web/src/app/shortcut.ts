import { useEffect, useRef } from "react";
import { useProjects } from "../feature/project/projects.tsx";
import { ARCHIVED, groupSessions } from "../feature/session-list/session-group.ts";
import { useSessionList } from "../feature/session/sessions.tsx";
import { currentRoute, navigate, showSession } from "../feature/navigation/navigation.ts";

interface Shortcuts {
  readonly onSwitcher: () => void;
  readonly onHelp: () => void;
  readonly onSidebar: () => void;
}

/** The keys of the whole window: Ctrl-K switches sessions, Ctrl-B hides the sidebar, Alt with arrows goes through the list, Alt-N starts a session, ? shows all keys. */
export function useShortcuts({ onSwitcher, onHelp, onSidebar }: Shortcuts): void {
  const { sessions } = useSessionList();
  const { list: projects } = useProjects();
  const latest = useRef({ sessions, projects, onSwitcher, onHelp, onSidebar });
  useEffect(() => {
    latest.current = { sessions, projects, onSwitcher, onHelp, onSidebar };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      const isCommand = event.metaKey || event.ctrlKey;
      const isPlainCommand = isCommand && !event.shiftKey && !event.altKey;
      if (isPlainCommand && key === "k") latest.current.onSwitcher();
      else if (isPlainCommand && key === "b") latest.current.onSidebar();
      else if (event.altKey && !isCommand && event.code === "KeyN") navigate({ type: "home" });
      else if (event.altKey && !isCommand && key === "arrowdown") step(1);
      else if (event.altKey && !isCommand && key === "arrowup") step(-1);
      else if (key === "?" && !isCommand && !isWriting(event.target)) latest.current.onHelp();
      else return;
      event.preventDefault();
    };
    const step = (by: 1 | -1): void => {
      const ids = groupSessions(latest.current.sessions, latest.current.projects)
        .filter((group) => group.key !== ARCHIVED)
        .flatMap((group) => group.sessions.map(({ session_id }) => session_id));
      const route = currentRoute();
      const current = route.type === "session" ? ids.indexOf(route.sessionId) : -1;
      const sessionId = ids[Math.max(0, current + by)];
      if (sessionId !== undefined) showSession(sessionId);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** True if a key is typed into a field. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

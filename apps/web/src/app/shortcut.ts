import { useEffect, useRef } from "react";
import { useSessionList } from "../feature/session/sessions.tsx";
import { currentRoute, navigate, showSession } from "../feature/navigation/navigation.ts";

interface Shortcuts {
  readonly onSwitcher: () => void;
  readonly onHelp: () => void;
}

/** The keys of the whole window: Ctrl-K switches sessions, Alt with arrows goes through the list, Alt-N starts a session, ? shows all keys. */
export function useShortcuts({ onSwitcher, onHelp }: Shortcuts): void {
  const { sessions } = useSessionList();
  const latest = useRef({ sessions, onSwitcher, onHelp });
  useEffect(() => {
    latest.current = { sessions, onSwitcher, onHelp };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      const isCommand = event.metaKey || event.ctrlKey;
      if (isCommand && !event.shiftKey && !event.altKey && key === "k") latest.current.onSwitcher();
      else if (event.altKey && !isCommand && event.code === "KeyN") navigate({ type: "home" });
      else if (event.altKey && !isCommand && key === "arrowdown") step(1);
      else if (event.altKey && !isCommand && key === "arrowup") step(-1);
      else if (key === "?" && !isCommand && !isWriting(event.target)) latest.current.onHelp();
      else return;
      event.preventDefault();
    };
    const step = (by: 1 | -1): void => {
      const ids = latest.current.sessions.map(({ session_id }) => session_id);
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

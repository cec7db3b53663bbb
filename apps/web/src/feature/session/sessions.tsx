import { useSessions, type SessionListState } from "@turnwire/react";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useDeleting } from "./deletion.ts";

const SessionsContext = createContext<SessionListState | null>(null);

/** Follows the list once for the whole window. */
export function SessionsProvider({ children }: { readonly children: ReactNode }) {
  const list = useSessions({ limit: 100 });
  return <SessionsContext value={list}>{children}</SessionsContext>;
}

/** All sessions without those that are about to be deleted. */
export function useSessionList(): SessionListState {
  const list = useContext(SessionsContext);
  if (!list) throw new Error("Wrap this component in <SessionsProvider>.");
  const deleting = useDeleting();
  return useMemo(
    () => ({
      ...list,
      sessions: list.sessions.filter(({ session_id }) => !deleting.has(session_id)),
    }),
    [list, deleting],
  );
}

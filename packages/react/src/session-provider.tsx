import type { Session, SessionView, Snapshot } from "@turnwire/client";
import { emptyView } from "@turnwire/client/binding";
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";
import { createSessionLease } from "./session-lease.ts";
import { useClient } from "./turnwire-provider.tsx";

interface SessionSource {
  readonly session: Session;
  readonly serverView: SessionView;
}

const SessionContext = createContext<SessionSource | null>(null);

export interface SessionProviderProps {
  readonly sessionId: string;
  /** Where the state starts: a page that a server rendered with it continues from there. */
  readonly snapshot?: Snapshot;
  readonly children?: ReactNode;
}

/** Follows a session while it is mounted, for all hooks below it. */
export function SessionProvider({
  sessionId,
  snapshot,
  children,
}: SessionProviderProps): ReactNode {
  const session = useSharedSession(sessionId, snapshot);
  const source = useMemo(() => ({ session, serverView: emptyView(snapshot) }), [session, snapshot]);
  return <SessionContext.Provider value={source}>{children}</SessionContext.Provider>;
}

/** The session of the nearest `SessionProvider`. */
export function useSession(): Session;
/** A session by its id: one connection, however many components ask for it. */
export function useSession(sessionId: string): Session;
export function useSession(sessionId?: string): Session {
  const source = useContext(SessionContext);
  const own = useSharedSession(sessionId);
  return own ?? present(source).session;
}

export function useSessionSource(): SessionSource {
  return present(useContext(SessionContext));
}

function present(source: SessionSource | null): SessionSource {
  if (!source) throw new Error("Wrap this component in <SessionProvider>.");
  return source;
}

function useSharedSession(sessionId: string, snapshot?: Snapshot): Session;
function useSharedSession(sessionId: string | undefined): Session | undefined;
function useSharedSession(sessionId: string | undefined, snapshot?: Snapshot): Session | undefined {
  const client = useClient();
  const lease = useMemo(
    () =>
      sessionId === undefined
        ? noLease
        : createSessionLease(client, sessionId, snapshot && { start: snapshot }),
    [client, sessionId, snapshot],
  );
  return useSyncExternalStore(lease.hold, lease.getSession, lease.getSession);
}

const noLease = { getSession: () => undefined, hold: () => () => {} };

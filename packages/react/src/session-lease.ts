import type { OpenSessionOptions, Session, TurnwireClient } from "@turnwire/client";

/** A session as `useSyncExternalStore` wants it: there at once, held from mount to unmount. */
export interface SessionLease {
  readonly getSession: () => Session;
  readonly hold: () => () => void;
}

/**
 * A render may come to nothing, so it only looks: the session it opened lingers until the mounted
 * component holds it, and is another one where the mount took longer than that.
 */
export function createSessionLease(
  client: TurnwireClient,
  sessionId: string,
  options?: OpenSessionOptions,
): SessionLease {
  let session = isServer()
    ? unfollowedSession(client, sessionId, options)
    : lingeringSession(client, sessionId, options);
  return {
    getSession: () => session,
    hold: () => {
      const shared = client.shareSession(sessionId, options);
      session = shared.session;
      return () => shared.release();
    },
  };
}

function isServer(): boolean {
  return typeof window === "undefined";
}

/** Nothing is ever unmounted on a server, so nothing may stay open there. */
function unfollowedSession(
  client: TurnwireClient,
  sessionId: string,
  options?: OpenSessionOptions,
): Session {
  const session = client.openSession(sessionId, options);
  session.close();
  return session;
}

function lingeringSession(
  client: TurnwireClient,
  sessionId: string,
  options?: OpenSessionOptions,
): Session {
  const shared = client.shareSession(sessionId, options);
  shared.release();
  return shared.session;
}

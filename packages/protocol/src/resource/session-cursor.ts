import type { SessionInfo } from "./session.ts";

/** A place in a list of sessions, newest update first, then highest id first. */
export type SessionPosition = Pick<SessionInfo, "updated_at" | "session_id">;

/**
 * The `after` of the page of sessions that follows this one. It names a place and not a session, so that a page neither
 * repeats nor skips a session that has not changed, whatever became of the others.
 */
export function sessionCursor({ updated_at, session_id }: SessionPosition): string {
  return `${updated_at},${session_id}`;
}

/** The place that a cursor names; undefined for text that is not a cursor. */
export function sessionPositionFrom(cursor: string): SessionPosition | undefined {
  const [, updated_at, session_id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z),(.+)$/s.exec(cursor) ?? [];
  if (updated_at === undefined || session_id === undefined) return undefined;
  return { updated_at, session_id };
}

import type { SessionInfo, SessionList } from "@turnwire/protocol";
import type { ClientError } from "../5-connection/client-error.ts";
import type { ConnectionState } from "../5-connection/connection-state.ts";
import type { WatchEvent } from "../5-connection/watch-feed.ts";

/** Everything a UI shows of a list of sessions. */
export interface SessionListView {
  /** loading: nothing is known yet; waiting: what is shown may be old, the client is reconnecting. */
  readonly status: "loading" | "live" | "waiting" | "failed";
  /** Newest update first. A session that did not change is the same object as before. */
  readonly sessions: readonly SessionInfo[];
  /** Older sessions wait to be loaded. */
  readonly hasMore: boolean;
  /** Another number whenever projects may have changed: then ask `client.projects.list()` again. */
  readonly projectsRevision: number;
  /** Why the connection broke, or could not be opened. */
  readonly error?: ClientError;
}

export const emptyList: SessionListView = {
  status: "loading",
  sessions: [],
  hasMore: false,
  projectsRevision: 0,
};

/** The list after a frame of the watch; of a type that is not known, the same. */
export function listAfter(view: SessionListView, event: WatchEvent): SessionListView {
  switch (event.type) {
    case "sessions":
      return {
        status: "live",
        sessions: sorted(event.sessions.map((session) => newest(knownIn(view, session), session))),
        hasMore: event.next !== undefined,
        // They may have changed while no one listened.
        projectsRevision: view.projectsRevision + 1,
      };
    case "projects_changed":
      return { ...view, projectsRevision: view.projectsRevision + 1 };
    case "session_changed":
      return withSessions(view, [event.session]);
    case "session_removed":
      return withoutSession(view, event.session_id);
    default:
      return view;
  }
}

/** The list with one more page behind it. */
export function withPage(view: SessionListView, page: SessionList): SessionListView {
  return { ...withSessions(view, page.sessions), hasMore: page.next !== undefined };
}

/** The status of the list in a state of the connection; known sessions stay shown. */
export function withConnection(
  view: SessionListView,
  connection: ConnectionState,
): SessionListView {
  const { sessions, hasMore, projectsRevision } = view;
  const known = { sessions, hasMore, projectsRevision };
  switch (connection.type) {
    case "idle":
    case "connecting":
    case "gap":
    case "replaying":
    case "live": {
      const { error } = connection.context;
      const status = view.status === "loading" ? "loading" : "waiting";
      return { ...known, status, ...(error && { error }) };
    }
    case "waiting": {
      const { error } = connection.context;
      return { ...known, status: "waiting", ...(error && { error }) };
    }
    case "failed":
      return { ...known, status: "failed", error: connection.error };
    case "closed":
      return view;
  }
}

function withSessions(view: SessionListView, incoming: readonly SessionInfo[]): SessionListView {
  const news = incoming
    .map((session) => [knownIn(view, session), session] as const)
    .map(([known, session]) => ({ known, next: newest(known, session) }))
    .filter(({ known, next }) => known !== next);
  if (news.length === 0) return view;
  const replaced = new Set(news.map(({ known }) => known));
  const kept = view.sessions.filter((session) => !replaced.has(session));
  return { ...view, sessions: sorted([...kept, ...news.map(({ next }) => next)]) };
}

function withoutSession(view: SessionListView, sessionId: string): SessionListView {
  const sessions = view.sessions.filter(({ session_id }) => session_id !== sessionId);
  return sessions.length === view.sessions.length ? view : { ...view, sessions };
}

function knownIn(view: SessionListView, { session_id }: SessionInfo): SessionInfo | undefined {
  return view.sessions.find((session) => session.session_id === session_id);
}

/** A page that was read a moment ago may be older than what the watch has reported since. */
function newest(known: SessionInfo | undefined, incoming: SessionInfo): SessionInfo {
  if (!known) return incoming;
  const isOlder = incoming.epoch === known.epoch && incoming.head < known.head;
  return isOlder || isSame(known, incoming) ? known : incoming;
}

function isSame(left: SessionInfo, right: SessionInfo): boolean {
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof SessionInfo>;
  return [...fields].every((field) => left[field] === right[field]);
}

/** As the server orders its pages. */
function sorted(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted(
    (left, right) =>
      descending(left.updated_at, right.updated_at) ||
      descending(left.session_id, right.session_id),
  );
}

function descending(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? 1 : -1;
}

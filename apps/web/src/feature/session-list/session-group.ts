import { projectOf, type Project, type SessionInfo } from "@turnwire/protocol";
import { hasWords } from "../../element/has-words.ts";
import { placeOf } from "../session/session-place.ts";
import { titleOf } from "../session/session-title.ts";

/** Sessions that belong together. */
export interface SessionGroup {
  /** The project's id, or the name of a group without one. */
  readonly key: string;
  readonly label: string;
  readonly project?: Project;
  /** Those that wait for the person first, then the newest. */
  readonly sessions: readonly SessionInfo[];
}

const OTHER = "other";
export const ARCHIVED = "archived";

/** The sessions of each project, in the server's order of projects; then those outside any project, then archived ones. */
export function groupSessions(
  sessions: readonly SessionInfo[],
  projects: readonly Project[],
): SessionGroup[] {
  const members = new Map<string, SessionInfo[]>();
  for (const session of sessions) {
    const key = keyOf(session, projects);
    const group = members.get(key);
    if (group) group.push(session);
    else members.set(key, [session]);
  }
  const ordered = (key: string): readonly SessionInfo[] => waitingFirst(members.get(key) ?? []);
  const outside = ordered(OTHER);
  const archived = members.get(ARCHIVED) ?? [];
  return [
    ...projects.map((project) => ({
      key: project.id,
      label: project.name,
      project,
      sessions: ordered(project.id),
    })),
    ...(outside.length > 0 ? [{ key: OTHER, label: "Other folders", sessions: outside }] : []),
    ...(archived.length > 0 ? [{ key: ARCHIVED, label: "Archived", sessions: archived }] : []),
  ];
}

function keyOf(session: SessionInfo, projects: readonly Project[]): string {
  if (session.status === "archived") return ARCHIVED;
  return projectOf(projects, placeOf(session))?.id ?? OTHER;
}

function waitingFirst(sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  return [...sessions.filter(isWaiting), ...sessions.filter((session) => !isWaiting(session))];
}

export function isWaiting({ activity, status }: SessionInfo): boolean {
  return activity === "waiting" && status !== "archived";
}

/** The sessions that have every word of the query in their title, directory, branch or runtime. */
export function searchSessions(sessions: readonly SessionInfo[], query: string): SessionInfo[] {
  return sessions.filter((session) =>
    hasWords(
      [titleOf(session), placeOf(session), session.worktree?.branch, session.runtime].join(" "),
      query,
    ),
  );
}

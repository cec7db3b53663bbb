import type { SessionInfo } from "@turnwire/protocol";
import { titleOf } from "../session/session-title.ts";

export interface SessionGroup {
  readonly label: string;
  readonly sessions: readonly SessionInfo[];
}

const DAY_MS = 86_400_000;

/** Sessions that wait for the person first, then those that work, then the rest by day; archived ones last. */
export function groupSessions(sessions: readonly SessionInfo[], now: Date): SessionGroup[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups = new Map<string, SessionInfo[]>(
    ["Waiting for you", "Working", "Today", "Yesterday", "Earlier", "Archived"].map((label) => [
      label,
      [],
    ]),
  );
  for (const session of sessions) groups.get(labelOf(session, midnight))?.push(session);
  return Array.from(groups, ([label, members]) => ({ label, sessions: members })).filter(
    (group) => group.sessions.length > 0,
  );
}

function labelOf({ status, activity, updated_at }: SessionInfo, midnight: number): string {
  if (status === "archived") return "Archived";
  if (activity === "waiting") return "Waiting for you";
  if (activity === "working") return "Working";
  const updated = Date.parse(updated_at);
  if (updated >= midnight) return "Today";
  return updated >= midnight - DAY_MS ? "Yesterday" : "Earlier";
}

/** The sessions that have every word of the query in their title, directory or runtime. */
export function searchSessions(sessions: readonly SessionInfo[], query: string): SessionInfo[] {
  return sessions.filter((session) =>
    hasWords([titleOf(session), session.cwd ?? "", session.runtime].join(" "), query),
  );
}

/** True if a text has every word of the query, in any case. */
export function hasWords(text: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

import type { SessionInfo } from "@turnwire/protocol";
import { placeOf } from "./session-place.ts";

/** The facts about a session that its title and its actions need. */
export type NamedSession = Pick<
  SessionInfo,
  "session_id" | "status" | "title" | "cwd" | "worktree"
>;

/** The title of a session, or one made from the directory it belongs to. */
export function titleOf(session: Pick<SessionInfo, "title" | "cwd" | "worktree">): string {
  const { title } = session;
  if (title !== undefined && title.trim() !== "") return title;
  const place = placeOf(session);
  const name = place === undefined ? undefined : lastPart(place);
  return name === undefined ? "Untitled session" : `Untitled in ${name}`;
}

/** The last part of a path, as people name directories. */
export function lastPart(path: string): string | undefined {
  return path.split(/[/\\]/).findLast((part) => part !== "");
}

const LONGEST_TITLE = 500;

/** The title of a copy: another one than that of its original. */
export function forkTitle(title: string): string {
  const [, base = title, count = "1"] = /^Fork of (.*?)(?: \((\d+)\))?$/.exec(title) ?? [];
  const isFork = base !== title;
  return `Fork of ${base.slice(0, LONGEST_TITLE - 20)}${isFork ? ` (${Number(count) + 1})` : ""}`;
}

import type { SessionInfo } from "@turnwire/protocol";

/** What must be known of a session to name it and to do something with it. */
export type NamedSession = Pick<SessionInfo, "session_id" | "status" | "title" | "cwd">;

/** What a session is called where it has no title: the directory it works in says most. */
export function titleOf({ title, cwd }: Pick<SessionInfo, "title" | "cwd">): string {
  if (title !== undefined && title.trim() !== "") return title;
  const name = cwd === undefined ? undefined : lastPart(cwd);
  return name === undefined ? "Untitled session" : `Untitled in ${name}`;
}

/** The last part of a path, as people name directories. */
export function lastPart(path: string): string | undefined {
  return path.split(/[/\\]/).findLast((part) => part !== "");
}

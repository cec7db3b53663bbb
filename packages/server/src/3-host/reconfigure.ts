import { detach } from "@turnwire/base";
import { isInside } from "../1-runtime/process/path-inside.ts";
import type { Session } from "../2-session/session.ts";

/** The trust of a directory has changed: idle agents in it end. Others take what is in force at their next turn. */
export function reconfigureInside(
  path: string,
  sessions: Iterable<Session>,
  onError: (error: unknown) => void,
): void {
  for (const session of sessions) {
    const { cwd, worktree } = session.control.session;
    const repository = worktree?.repository;
    const isAffected =
      (cwd !== undefined && isInside(cwd, path)) ||
      // A worktree is trusted as the same place in its repository is.
      (repository !== undefined && (isInside(repository, path) || isInside(path, repository)));
    if (isAffected) detach(session.reconfigure(), onError);
  }
}

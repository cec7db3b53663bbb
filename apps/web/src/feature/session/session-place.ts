import type { SessionInfo } from "@turnwire/protocol";

/** The directory that a session belongs to; for one in a worktree, the same place in its repository. */
export function placeOf({
  cwd,
  worktree,
}: Pick<SessionInfo, "cwd" | "worktree">): string | undefined {
  if (cwd === undefined || !worktree) return cwd;
  const { path, repository } = worktree;
  const isInside = cwd === path || cwd.startsWith(`${path}/`);
  return isInside ? `${repository}${cwd.slice(path.length)}` : repository;
}

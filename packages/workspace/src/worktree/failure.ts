import { rejected } from "@turnwire/protocol";

/** Why a worktree could not be made, for programs. */
export type WorktreeFailure =
  | "unavailable"
  | "not_a_repository"
  | "no_commits"
  | "branch_invalid"
  | "branch_exists"
  | "base_unknown"
  | "directory_missing"
  | "copy_failed"
  | "setup_failed"
  | "git_failed";

export function worktreeFailed(
  reason: WorktreeFailure,
  message: string,
): ReturnType<typeof rejected> {
  return rejected("worktree_failed", message, { reason });
}

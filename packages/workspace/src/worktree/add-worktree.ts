import { mkdir, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { accepted, type Result, type Worktree } from "@turnwire/protocol";
import { findWorkingTree } from "../project/working-tree.ts";
import { worktreeFailed } from "./failure.ts";
import { openGit, useFiles, type WorktreeGit } from "./worktree-git.ts";

export async function isBranchName(git: WorktreeGit, name: string): Promise<boolean> {
  if (name.startsWith("-") || name === "HEAD") return false;
  return (await git.run(["check-ref-format", refOf(name)]))?.exitCode === 0;
}

/** Makes the branch; false where there is one already, or one that does not go with the name. */
export async function reserveBranch(
  git: WorktreeGit,
  { branch, base_commit: commit }: Worktree,
): Promise<boolean> {
  // Only where there is none yet, which git checks and does in one step.
  const args = ["update-ref", "--create-reflog", refOf(branch), commit, ""];
  return (await git.run(args, { isWriting: true }))?.exitCode === 0;
}

/** Makes the directory with nothing checked out in it. */
export async function addWorktree(git: WorktreeGit, worktree: Worktree): Promise<Result<void>> {
  const { path, branch } = worktree;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const added = await git.run(["worktree", "add", "--quiet", "--no-checkout", path, branch], {
    isWriting: true,
  });
  return added?.exitCode === 0 ? accepted(undefined) : gitFailed(added?.stderr);
}

/** Checks the branch out. */
export async function checkOut({ path }: Worktree, signal: AbortSignal): Promise<Result<void>> {
  const tree = await findWorkingTree(path);
  const args = ["reset", "--hard", "--quiet", "--no-recurse-submodules"];
  const done = tree && (await useFiles(tree, (git) => git.run(args, { isWriting: true, signal })));
  return done?.exitCode === 0 ? accepted(undefined) : gitFailed(done?.stderr);
}

/** Takes back a worktree that no agent has worked in, whatever of it is there. */
export async function undoWorktree(worktree: Worktree, hasBranch: boolean): Promise<void> {
  const { path, repository, branch, base_commit: commit } = worktree;
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await rmdir(dirname(path)).catch(() => undefined);
  const git = await openGit(repository);
  if (!git) return;
  // Twice: git locks a worktree while it is made.
  await git.run(["worktree", "remove", "--force", "--force", path], { isWriting: true });
  if (hasBranch) await removeBranch(git, branch, commit);
}

/** Removes a branch, if it is still at the commit. */
export async function removeBranch(
  git: WorktreeGit,
  branch: string,
  commit: string,
): Promise<boolean> {
  const removed = await git.run(["update-ref", "-d", refOf(branch), commit], { isWriting: true });
  if (removed?.exitCode !== 0) return false;
  // What `git push --set-upstream` wrote, where somebody did that.
  await git.run(["config", "--local", "--remove-section", `branch.${branch}`], {
    isWriting: true,
  });
  return true;
}

export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

function gitFailed(stderr: string | undefined): ReturnType<typeof worktreeFailed> {
  const reason = stderr?.trim().replace(/^(?:fatal|error): /, "") ?? "";
  return worktreeFailed(
    "git_failed",
    reason === "" ? "Git did not make the worktree in time." : `Git cannot do that: ${reason}`,
  );
}

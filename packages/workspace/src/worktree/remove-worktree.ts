import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Worktree, WorktreeChoice, WorktreeRemoval } from "@turnwire/protocol";
import { removeBranch } from "./add-worktree.ts";
import { type Inspection, inspectWorktree } from "./inspect-worktree.ts";
import { describeRemoval, planRemoval } from "./removal.ts";
import { inspectFiles } from "./worktree-files.ts";
import { openGit, type WorktreeGit } from "./worktree-git.ts";

/** Names of a directory on its way out; see `removeWorktree`. */
const CHECKING = ".checking-";
const REMOVED = ".removed-";

/**
 * Removes a worktree as far as the choice and what it holds permit.
 * The directory is moved aside and looked at once more, so that what is saved in it at the last
 * moment is noticed; only then is it removed. A crash in between is completed by `sweepAside`.
 */
export async function removeWorktree(
  worktree: Worktree,
  choice: WorktreeChoice,
  isInUse: boolean,
): Promise<WorktreeRemoval> {
  const inspection = withUse(await inspectWorktree(worktree), isInUse);
  const plan = planRemoval(inspection, choice);
  const keep = (reasons = plan.reasons) =>
    describeRemoval(worktree, { isRemoved: false, isBranchRemoved: false, reasons });
  if (!plan.removesDirectory) return keep();
  const git = await openGit(worktree.repository);
  if (inspection.contents.is_present) {
    const isMoved = await moveAside(worktree.path, git, choice === "discard");
    if (!isMoved) return keep(["uncommitted"]);
  }
  if (git) await unregister(git, worktree.path);
  await sweep(join(dirname(worktree.path), `${REMOVED}${basename(worktree.path)}`));
  await rmdir(dirname(worktree.path)).catch(() => undefined);
  const { tip } = inspection;
  const isBranchRemoved =
    tip === undefined
      ? plan.removesBranch
      : plan.removesBranch && git !== undefined && (await removeBranch(git, worktree.branch, tip));
  const isLeft = plan.removesBranch && !isBranchRemoved;
  return describeRemoval(worktree, {
    isRemoved: true,
    isBranchRemoved,
    // Somebody moved the branch meanwhile.
    reasons: isLeft ? ["unmerged"] : plan.reasons,
  });
}

function withUse({ contents, ...rest }: Inspection, isInUse: boolean): Inspection {
  if (!isInUse) return { contents, ...rest };
  const reasons = [...contents.keep_reasons, "in_use" as const];
  return { ...rest, contents: { ...contents, keep_reasons: reasons } };
}

/** False where there is something in it by now; then it is where it was. */
async function moveAside(
  path: string,
  git: WorktreeGit | undefined,
  isDiscarding: boolean,
): Promise<boolean> {
  const checking = join(dirname(path), `${CHECKING}${basename(path)}`);
  await rename(path, checking);
  const files = isDiscarding ? undefined : git && (await inspectFiles(git, checking));
  const isEmpty = files && files.uncommitted + files.untracked === 0 && !files.isInProgress;
  if (isDiscarding || isEmpty) {
    await rename(checking, join(dirname(path), `${REMOVED}${basename(path)}`));
    return true;
  }
  await rename(checking, path);
  // Git may have noted the other place.
  await git?.run(["worktree", "repair", path], { isWriting: true });
  return false;
}

/** Git's own record of it, which may name the place that it was moved to. */
async function unregister(git: WorktreeGit, path: string): Promise<void> {
  const places = [path, join(dirname(path), `${CHECKING}${basename(path)}`)];
  for (const place of places) {
    const removed = await git.run(["worktree", "remove", "--force", place], { isWriting: true });
    if (removed?.exitCode === 0) return;
  }
}

async function sweep(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Completes what a process left that died while it removed a worktree below this directory. */
export async function sweepAside(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (name.startsWith(REMOVED)) await sweep(join(directory, name));
    if (name.startsWith(CHECKING)) {
      const path = join(directory, name.slice(CHECKING.length));
      await rename(join(directory, name), path);
      const git = await openGit(path);
      await git?.run(["worktree", "repair"], { isWriting: true });
    }
  }
}

import { lstat } from "node:fs/promises";
import { type Worktree, type WorktreeContents, WorktreeKeepReason } from "@turnwire/protocol";
import { refOf } from "./add-worktree.ts";
import { type LinkedWorktree, listWorktrees } from "./linked-worktree.ts";
import { inspectFiles, noFiles } from "./worktree-files.ts";
import { openGit, type WorktreeGit } from "./worktree-git.ts";

const MAX_UNMERGED = 1000;

/** What is known of a worktree that is to be removed. */
export interface Inspection {
  readonly contents: WorktreeContents;
  /** The commit of its branch; undefined where there is no such branch any more. */
  readonly tip?: string;
  /** Whether another working tree has the branch checked out. */
  readonly isBranchElsewhere: boolean;
}

/** Looks at what would be lost without a worktree. What cannot be known counts as something. */
export async function inspectWorktree(worktree: Worktree): Promise<Inspection> {
  const isPresent = await isThere(worktree.path);
  const git = await openGit(worktree.repository);
  const listed = git && (await listWorktrees(git));
  if (!git || !listed) return unknown(isPresent);
  const linked = listed.find(({ path }) => path === worktree.path);
  const others = listed.filter((other) => other !== linked);
  const branch = await inspectBranch(git, worktree.branch, others);
  const files = isPresent ? await inspectFiles(git, worktree.path) : noFiles;
  const loose = linked?.isDetached ? await countUnmerged(git, linked.head, others) : 0;
  const isForeign = isPresent && !linked;
  if (!branch || !files || loose === undefined || isForeign) return unknown(isPresent);
  const reasons: Partial<Record<WorktreeKeepReason, boolean>> = {
    uncommitted: files.uncommitted > 0,
    untracked: files.untracked > 0,
    unmerged: branch.unmerged > 0,
    detached: loose > 0,
    in_progress: files.isInProgress,
    submodules: files.hasSubmodules,
    locked: linked?.isLocked ?? false,
  };
  return {
    contents: {
      is_present: isPresent,
      uncommitted: files.uncommitted,
      untracked: files.untracked,
      unmerged: Math.min(branch.unmerged + loose, MAX_UNMERGED),
      keep_reasons: WorktreeKeepReason.options.filter((reason) => reasons[reason]),
    },
    ...(branch.tip !== undefined && { tip: branch.tip }),
    isBranchElsewhere: others.some((other) => other.branch === refOf(worktree.branch)),
  };
}

interface BranchFacts {
  readonly tip: string | undefined;
  readonly unmerged: number;
}

async function inspectBranch(
  git: WorktreeGit,
  branch: string,
  others: readonly LinkedWorktree[],
): Promise<BranchFacts | undefined> {
  const found = await git.run(["rev-parse", "--verify", "--quiet", refOf(branch)]);
  if (found?.exitCode === 1) return { tip: undefined, unmerged: 0 };
  if (found?.exitCode !== 0) return undefined;
  const tip = found.stdout.trim();
  const unmerged = await countUnmerged(git, tip, others, branch);
  return unmerged === undefined ? undefined : { tip, unmerged };
}

/** How many commits are reachable from one, and from nothing that stays. */
async function countUnmerged(
  git: WorktreeGit,
  commit: string,
  others: readonly LinkedWorktree[],
  except?: string,
): Promise<number | undefined> {
  const heads = others.flatMap(({ head }) => (/[1-9a-f]/.test(head) ? [head] : []));
  const counted = await git.read([
    "rev-list",
    "--count",
    `--max-count=${MAX_UNMERGED}`,
    commit,
    "--not",
    ...(except === undefined ? [] : [`--exclude=${except}`]),
    "--branches",
    "--tags",
    "--remotes",
    ...heads,
  ]);
  return counted !== undefined && /^\d+$/.test(counted) ? Number(counted) : undefined;
}

/** Nothing can be said: whatever is there stays. */
function unknown(isPresent: boolean): Inspection {
  return {
    contents: {
      is_present: isPresent,
      uncommitted: 0,
      untracked: 0,
      unmerged: 0,
      keep_reasons: ["unknown"],
    },
    isBranchElsewhere: false,
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    // It cannot be looked at, so something may be there.
    return true;
  }
}

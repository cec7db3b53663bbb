import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { findWorkingTree } from "../project/working-tree.ts";
import { useFiles, type WorktreeGit } from "./worktree-git.ts";

/** What the directory of a worktree holds beside its commits. */
export interface WorktreeFiles {
  readonly uncommitted: number;
  readonly untracked: number;
  readonly isInProgress: boolean;
  readonly hasSubmodules: boolean;
}

export const noFiles: WorktreeFiles = {
  uncommitted: 0,
  untracked: 0,
  isInProgress: false,
  hasSubmodules: false,
};

/** What git leaves in its directory for a worktree while something has not ended. */
const operations = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

/** Undefined where git cannot say, or where the directory belongs to another repository by now. */
export async function inspectFiles(
  repository: WorktreeGit,
  path: string,
): Promise<WorktreeFiles | undefined> {
  const [tree, common] = await Promise.all([
    findWorkingTree(path),
    repository.read(["rev-parse", "--path-format=absolute", "--git-common-dir"]),
  ]);
  if (!tree || tree.commonDirectory !== common) return undefined;
  const [status, index] =
    (await useFiles(tree, (git) =>
      Promise.all([git.read(statusCommand), git.read(["ls-files", "-v", "--stage", "-z"])]),
    )) ?? [];
  if (status === undefined || index === undefined) return undefined;
  const states = status.split("\0").filter((line) => line !== "");
  const untracked = states.filter((line) => line.startsWith("??")).length;
  const entries = indexEntries(index);
  const hidden = await countHidden(path, entries);
  return {
    uncommitted: states.length - untracked + hidden,
    untracked,
    isInProgress: await hasAny(operations.map((name) => join(tree.gitDirectory, name))),
    hasSubmodules: await hasAny([
      join(tree.gitDirectory, "modules"),
      ...entries.flatMap((entry) => (entry.isLink ? [join(path, entry.path, ".git")] : [])),
    ]),
  };
}

/** Submodules are not looked into: git would run what their configuration says. */
const statusCommand = [
  "status",
  "--porcelain",
  "-z",
  "--untracked-files=all",
  "--ignore-submodules=dirty",
  "--no-renames",
];

interface IndexEntry {
  readonly path: string;
  /** Whether it is the commit of a submodule. */
  readonly isLink: boolean;
  /** Whether git does not look at the file (`--assume-unchanged`). */
  readonly isHidden: boolean;
  /** Whether it is left out of the working tree. */
  readonly isSkipped: boolean;
}

function indexEntries(output: string): IndexEntry[] {
  return output.split("\0").flatMap((line) => {
    const [, tag = "", mode, path] = /^(\S) (\d+) \S+ \d\t(.*)$/s.exec(line) ?? [];
    if (path === undefined) return [];
    const isSkipped = tag.toUpperCase() === "S";
    return { path, isLink: mode === "160000", isHidden: tag !== tag.toUpperCase(), isSkipped };
  });
}

/** Files that `status` does not compare: any of them may have changed. */
async function countHidden(path: string, entries: readonly IndexEntry[]): Promise<number> {
  let count = 0;
  for (const entry of entries) {
    if (entry.isHidden) count += 1;
    else if (entry.isSkipped && (await isThere(join(path, entry.path)))) count += 1;
  }
  return count;
}

async function hasAny(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await isThere(path)) return true;
  return false;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

import { basename, dirname } from "node:path";
import type { ProjectGit } from "@turnwire/protocol";
import { runGit } from "./git-command.ts";
import { findWorkingTree, useWorkingTree, type WorkingTree } from "./working-tree.ts";

/** How long one question may take. */
const TIMEOUT_MS = 4000;
const MAX_BYTES = 64 * 1024;

/** What git knows of a directory; undefined where it is in no working tree, or there is no git. */
export async function readGit(directory: string): Promise<ProjectGit | undefined> {
  const tree = await findWorkingTree(directory);
  if (!tree) return undefined;
  const [branch, isDirty] = await Promise.all([readBranch(directory), readDirty(tree)]);
  const main = mainWorktree(tree);
  return {
    ...(branch !== undefined && { branch }),
    ...(isDirty !== undefined && { is_dirty: isDirty }),
    ...(main !== undefined && { worktree_of: main }),
  };
}

async function readBranch(directory: string): Promise<string | undefined> {
  const args = ["symbolic-ref", "--quiet", "--short", "HEAD"];
  const head = await runGit({ directory, args, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  return head?.exitCode === 0 ? head.stdout.trim() || undefined : undefined;
}

const statusCommand = {
  args: [
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=all",
    "--",
    ".",
  ],
  timeoutMs: TIMEOUT_MS,
  // The first byte says that there are changes.
  maxBytes: 1,
};

/** Undefined where only the repository's own filters could tell. */
function readDirty(tree: WorkingTree): Promise<boolean | undefined> {
  return useWorkingTree(tree, async ({ hasOwnFilters, run }) => {
    if (hasOwnFilters) return undefined;
    const status = await run(statusCommand);
    return status?.exitCode === 0 ? status.stdout !== "" : undefined;
  });
}

/** Linked working trees have a git directory of their own inside the common one. */
function mainWorktree({ gitDirectory, commonDirectory }: WorkingTree): string | undefined {
  if (gitDirectory === commonDirectory) return undefined;
  return basename(commonDirectory) === ".git" ? dirname(commonDirectory) : commonDirectory;
}

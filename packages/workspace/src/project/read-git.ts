import { basename, dirname } from "node:path";
import type { ProjectGit } from "@turnwire/protocol";
import { type GitResult, runGit } from "./git-command.ts";
import { neutralConfiguration } from "./neutral-configuration.ts";

/** How long one question may take. */
const TIMEOUT_MS = 4000;
const MAX_BYTES = 64 * 1024;

type Ask = (args: readonly string[], maxBytes?: number) => Promise<GitResult | undefined>;

/** What git knows of a directory; undefined where it is in no working tree, or there is no git. */
export async function readGit(directory: string): Promise<ProjectGit | undefined> {
  const ask: Ask = (args, maxBytes = MAX_BYTES) =>
    runGit({ directory, args, timeoutMs: TIMEOUT_MS, maxBytes });
  const place = await ask([
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-dir",
    "--git-common-dir",
  ]);
  if (place?.exitCode !== 0) return undefined;
  const [, gitDirectory, commonDirectory] = place.stdout.split("\n");
  const [branch, isDirty] = await Promise.all([readBranch(ask), readDirty(directory, ask)]);
  const main = mainWorktree(gitDirectory, commonDirectory);
  return {
    ...(branch !== undefined && { branch }),
    ...(isDirty !== undefined && { is_dirty: isDirty }),
    ...(main !== undefined && { worktree_of: main }),
  };
}

async function readBranch(ask: Ask): Promise<string | undefined> {
  const head = await ask(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return head?.exitCode === 0 ? head.stdout.trim() || undefined : undefined;
}

/** The first byte of an answer says that there are changes; undefined where it cannot be asked safely. */
async function readDirty(directory: string, ask: Ask): Promise<boolean | undefined> {
  if (await hasOwnFilters(directory)) return undefined;
  const status = await ask(
    [
      "status",
      "--porcelain",
      "-z",
      "--untracked-files=normal",
      "--ignore-submodules=all",
      "--",
      ".",
    ],
    1,
  );
  return status?.exitCode === 0 ? status.stdout !== "" : undefined;
}

/** Comparing a file runs the filter that the repository's configuration names: then nothing is compared. */
async function hasOwnFilters(directory: string): Promise<boolean> {
  const neutral = await neutralConfiguration(directory);
  return !neutral || Object.keys(neutral).some((name) => name.startsWith("filter."));
}

/** Linked working trees have a git directory of their own inside the common one. */
function mainWorktree(gitDirectory = "", commonDirectory = ""): string | undefined {
  if (gitDirectory === "" || commonDirectory === "" || gitDirectory === commonDirectory) {
    return undefined;
  }
  return basename(commonDirectory) === ".git" ? dirname(commonDirectory) : commonDirectory;
}

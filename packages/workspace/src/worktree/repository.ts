import { realpath } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { accepted, type Result, type WorktreeRequest } from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";
import { worktreeFailed } from "./failure.ts";
import { listWorktrees } from "./linked-worktree.ts";
import { openGit, type WorktreeGit } from "./worktree-git.ts";

/** The repository around a directory. */
export interface Repository {
  readonly git: WorktreeGit;
  /** The top of the working tree that the directory is in. */
  readonly top: string;
  /** What all working trees of the repository share. */
  readonly commonDirectory: string;
  /** The main working tree; where there is none, the common directory. */
  readonly path: string;
  /** The directory, from the top. */
  readonly subdirectory: string;
}

/** What a new worktree starts from. */
export interface Base {
  readonly name: string;
  readonly commit: string;
}

/** Finds the repository around a real path. */
export async function findRepository(directory: string): Promise<Result<Repository>> {
  const git = await openGit(directory);
  const shown = await git?.read([
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-common-dir",
  ]);
  const [top, commonDirectory] = await Promise.all((shown?.split("\n") ?? []).map(realOrGiven));
  if (!git || top === undefined || commonDirectory === undefined || !isInside(directory, top)) {
    return worktreeFailed(
      "not_a_repository",
      `${directory} is in no git repository that can be read: a session there cannot have a worktree.`,
    );
  }
  return accepted({
    git,
    top,
    commonDirectory,
    path: await mainWorktree(git, commonDirectory),
    subdirectory: relative(top, directory),
  });
}

/** The first that git lists; a bare repository has none. */
async function mainWorktree(git: WorktreeGit, commonDirectory: string): Promise<string> {
  if (basename(commonDirectory) === ".git") return dirname(commonDirectory);
  const [first] = (await listWorktrees(git)) ?? [];
  return !first || first.isBare ? commonDirectory : realOrGiven(first.path);
}

/** The commit to start from: what was asked for, else what is checked out. */
export async function findBase(
  { git, top }: Repository,
  request: WorktreeRequest,
): Promise<Result<Base>> {
  const wanted = request === true ? undefined : request.base;
  const commit = await git.read([
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${wanted ?? "HEAD"}^{commit}`,
  ]);
  if (commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit)) {
    return accepted({ name: wanted ?? (await currentBranch(git)) ?? commit, commit });
  }
  return wanted === undefined
    ? worktreeFailed("no_commits", `${top} has no commits yet: commit something first.`)
    : worktreeFailed("base_unknown", `There is no branch, tag or commit ${wanted} in ${top}.`);
}

/** Undefined where a commit is checked out. */
async function currentBranch(git: WorktreeGit): Promise<string | undefined> {
  return (await git.read(["symbolic-ref", "--quiet", "--short", "HEAD"])) || undefined;
}

async function realOrGiven(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

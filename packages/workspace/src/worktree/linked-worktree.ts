import type { WorktreeGit } from "./worktree-git.ts";

/** A working tree of a repository, as git lists it. */
export interface LinkedWorktree {
  readonly path: string;
  /** The commit that is checked out; of a branch without commits only zeros. */
  readonly head: string;
  /** The whole name of the branch. */
  readonly branch?: string;
  readonly isDetached: boolean;
  readonly isBare: boolean;
  readonly isLocked: boolean;
}

/** All working trees, the main one first; undefined where git cannot say. */
export async function listWorktrees(git: WorktreeGit): Promise<LinkedWorktree[] | undefined> {
  const args = ["worktree", "list", "--porcelain"];
  // `-z` since git 2.36; without it a path with a line break cannot be read, which is not a path of ours.
  const whole = await git.read([...args, "-z"]);
  if (whole !== undefined) return worktreesFrom(whole, "\0");
  const lines = await git.read(args);
  return lines === undefined ? undefined : worktreesFrom(lines, "\n");
}

function worktreesFrom(output: string, end: "\0" | "\n"): LinkedWorktree[] {
  return output.split(`${end}${end}`).flatMap((block) => {
    const facts = new Map(
      block
        .split(end)
        .filter((line) => line !== "")
        .map((line) => {
          const [, name = "", value = ""] = /^(\w+)(?: (.*))?$/s.exec(line) ?? [];
          return [name, value] as const;
        }),
    );
    const path = facts.get("worktree");
    const branch = facts.get("branch");
    if (path === undefined) return [];
    return {
      path,
      head: facts.get("HEAD") ?? "",
      ...(branch !== undefined && { branch }),
      isDetached: facts.has("detached"),
      isBare: facts.has("bare"),
      isLocked: facts.has("locked"),
    };
  });
}

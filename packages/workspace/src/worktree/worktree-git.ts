import { type GitResult, runGit } from "../project/git-command.ts";
import { neutralConfiguration } from "../project/own-configuration.ts";
import { useWorkingTree, type WorkingTree } from "../project/working-tree.ts";

const READ_MS = 30_000;
/** A checkout of a large repository takes its time. */
const WRITE_MS = 10 * 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Git on the branches and worktrees of one repository, with nothing in force that its configuration would run. */
export interface WorktreeGit {
  /** Undefined where git could not be run, or took too long. */
  readonly run: (
    args: readonly string[],
    options?: GitCallOptions,
  ) => Promise<GitResult | undefined>;
  /** The output of a command that succeeded, without the end of the line; undefined otherwise. */
  readonly read: (args: readonly string[], options?: GitCallOptions) => Promise<string | undefined>;
}

export interface GitCallOptions {
  readonly isWriting?: boolean;
  readonly signal?: AbortSignal;
}

/** Undefined where the repository cannot be read: it may be gone, or there is no git. */
export async function openGit(directory: string): Promise<WorktreeGit | undefined> {
  const overrides = await neutralConfiguration(directory);
  if (!overrides) return undefined;
  return gitWith((args, { isWriting, signal } = {}) =>
    runGit({ directory, args, overrides, ...limitsOf(isWriting), ...(signal && { signal }) }),
  );
}

/** Git on the files of a working tree; undefined where it cannot be read. */
export function useFiles<Value>(
  tree: WorkingTree,
  use: (git: WorktreeGit) => Promise<Value>,
): Promise<Value | undefined> {
  return useWorkingTree(tree, (open) =>
    use(
      gitWith((args, { isWriting, signal } = {}) =>
        open.run({ args, ...limitsOf(isWriting), ...(signal && { signal }) }),
      ),
    ),
  );
}

function limitsOf(isWriting = false): { timeoutMs: number; maxBytes: number } {
  return { timeoutMs: isWriting ? WRITE_MS : READ_MS, maxBytes: MAX_BYTES };
}

function gitWith(run: WorktreeGit["run"]): WorktreeGit {
  return {
    run,
    read: async (args, options) => {
      const result = await run(args, options);
      return result?.exitCode === 0 && !result.isCut ? result.stdout.replace(/\n$/, "") : undefined;
    },
  };
}

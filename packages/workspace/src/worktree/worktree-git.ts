import { type GitResult, runGit } from "../project/git-command.ts";
import { neutralConfiguration } from "../project/neutral-configuration.ts";

const READ_MS = 30_000;
/** A checkout of a large repository takes its time. */
const WRITE_MS = 10 * 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Git in one repository, with nothing in force that the repository's own configuration would run. */
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
  /** Another working tree of the same repository. */
  readonly directory?: string;
  readonly isWriting?: boolean;
  readonly signal?: AbortSignal;
}

/** Undefined where the repository cannot be read: it may be gone, or there is no git. */
export async function openGit(directory: string): Promise<WorktreeGit | undefined> {
  const overrides = await neutralConfiguration(directory);
  if (!overrides) return undefined;
  const run: WorktreeGit["run"] = (args, { directory: other, isWriting, signal } = {}) =>
    runGit({
      directory: other ?? directory,
      args,
      overrides,
      timeoutMs: isWriting ? WRITE_MS : READ_MS,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
  return {
    run,
    read: async (args, options) => {
      const result = await run(args, options);
      return result?.exitCode === 0 && !result.isCut ? result.stdout.replace(/\n$/, "") : undefined;
    },
  };
}

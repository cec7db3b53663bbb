import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { TailBuffer } from "@turnwire/runtime/process";

export interface GitCommand {
  readonly directory: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** Enough of the output: git is ended there. */
  readonly maxBytes: number;
  /** Values for what the repository's own configuration sets; see `neutralConfiguration`. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The repository, which git then does not look for; see `useWorkingTree`. */
  readonly tree?: {
    readonly top: string;
    readonly gitDirectory: string;
    readonly commonDirectory: string;
  };
  /** Ends git early. */
  readonly signal?: AbortSignal;
}

export interface GitResult {
  readonly stdout: string;
  /** The last of what it wrote there. */
  readonly stderr: string;
  /** 0 also where it was ended because there was enough output. */
  readonly exitCode: number;
  /** There was more output than asked for. */
  readonly isCut: boolean;
}

/** What a repository can configure that would run a program, reach the network, or hide changes. */
const SAFE_CONFIGURATION: Readonly<Record<string, string>> = {
  "core.askPass": "",
  "core.checkStat": "default",
  "core.editor": "false",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.ignoreStat": "false",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "core.trustctime": "true",
  "credential.helper": "",
  "diff.external": "",
  "gc.auto": "0",
  "gpg.program": "false",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "sequence.editor": "false",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
};

/** Of what git writes to stderr. */
const STDERR_BYTES = 4096;

/**
 * Runs git in a directory that may be hostile; undefined where there is no git, or it took too
 * long. Filters that a repository's own configuration defines have names of its own: commands that
 * compare or check out files are run by `useWorkingTree`.
 */
export function runGit(command: GitCommand): Promise<GitResult | undefined> {
  const { directory, args, timeoutMs, maxBytes, overrides = {}, tree, signal } = command;
  const configuration = Object.entries(SAFE_CONFIGURATION).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  return new Promise((resolve) => {
    const child = spawn("git", [...configuration, "--no-pager", "-C", directory, ...args], {
      // Not in the directory: a relative entry of PATH would be looked for there.
      cwd: "/",
      env: {
        ...environment(),
        ...configurationVariables(overrides),
        ...(tree && {
          GIT_DIR: tree.gitDirectory,
          GIT_COMMON_DIR: tree.commonDirectory,
          GIT_WORK_TREE: tree.top,
        }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stderr = new TailBuffer(STDERR_BYTES);
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (result: GitResult | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      child.stdout.destroy();
      child.stderr.destroy();
      child.kill("SIGKILL");
      // One that hangs in the kernel must not keep the server from ending.
      child.unref();
      resolve(result);
    };
    const result = (exitCode: number): GitResult => ({
      stdout: Buffer.concat(chunks).toString("utf8", 0, maxBytes),
      stderr: stderr.toString(),
      exitCode,
      isCut: length >= maxBytes,
    });
    const abort = (): void => finish(undefined);
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) finish(result(0));
    });
    child.once("error", () => finish(undefined));
    child.once("close", (code) => finish(code === null ? undefined : result(code)));
  });
}

/** In the environment, because `-c` cannot name what has a `=` in it. Since git 2.31. */
function configurationVariables(
  configuration: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(configuration);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

/** Nothing of ours that would point git elsewhere, such as GIT_DIR. */
function environment(): Record<string, string> {
  const { PATH = "", HOME, XDG_CONFIG_HOME } = process.env;
  const path = PATH.split(":").filter((entry) => isAbsolute(entry));
  return {
    PATH: path.join(":"),
    ...(HOME !== undefined && { HOME }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

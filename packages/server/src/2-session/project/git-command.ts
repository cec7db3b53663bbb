import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";

export interface GitCommand {
  readonly directory: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** Enough of the output: git is ended there. */
  readonly maxBytes: number;
}

export interface GitResult {
  readonly stdout: string;
  /** 0 also where it was ended because there was enough output. */
  readonly exitCode: number;
}

/** What a repository can configure that would run a program, or reach the network. */
const SAFE_CONFIGURATION: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "credential.helper": "",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
};

/**
 * Runs git in a directory that may be hostile; undefined where there is no git, or it took too
 * long. Filters that a repository's own configuration defines cannot be switched off here: whoever
 * runs a command that reads files must look for them first.
 */
export function runGit(command: GitCommand): Promise<GitResult | undefined> {
  const { directory, args, timeoutMs, maxBytes } = command;
  const configuration = Object.entries(SAFE_CONFIGURATION).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  return new Promise((resolve) => {
    const child = spawn("git", [...configuration, "--no-pager", "-C", directory, ...args], {
      // Not in the directory: a relative entry of PATH would be looked for there.
      cwd: "/",
      env: environment(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (result: GitResult | undefined): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.kill("SIGKILL");
      // One that hangs in the kernel must not keep the server from ending.
      child.unref();
      resolve(result);
    };
    const result = (exitCode: number): GitResult => ({
      stdout: Buffer.concat(chunks).toString("utf8", 0, maxBytes),
      exitCode,
    });
    const timer = setTimeout(() => finish(undefined), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) finish(result(0));
    });
    child.once("error", () => finish(undefined));
    child.once("close", (code) => finish(code === null ? undefined : result(code)));
  });
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

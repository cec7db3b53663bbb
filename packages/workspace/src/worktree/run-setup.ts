import type { Clock } from "@turnwire/base";
import { accepted, type Result, type Worktree } from "@turnwire/protocol";
import {
  childEnvironment,
  type ProcessRegistry,
  SupervisedProcess,
  TailBuffer,
} from "@turnwire/runtime/process";
import { RuntimeError } from "@turnwire/runtime";
import { worktreeFailed } from "./failure.ts";

/** How long a setup command may take. */
const SETUP_MS = 10 * 60_000;
/** Of its output, what an error shows. */
const OUTPUT_BYTES = 2000;

/** What of the server's own environment the command may see: no keys of agents, no tokens. */
const inherited = `
  PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM TZ TMPDIR TEMP TMP
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME SSH_AUTH_SOCK
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
`
  .trim()
  .split(/\s+/);

export interface SetupPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly registry?: ProcessRegistry;
}

/** Runs the command in the worktree, with all that it starts ended when it is over. */
export async function runSetup(
  command: string,
  { path, repository, branch }: Worktree,
  { clock, signal, registry }: SetupPorts,
): Promise<Result<void>> {
  const env = childEnvironment(inherited, {
    TURNWIRE_WORKTREE: path,
    TURNWIRE_REPOSITORY: repository,
    TURNWIRE_BRANCH: branch,
  });
  const output = new TailBuffer(OUTPUT_BYTES);
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener("abort", stop);
  try {
    const child = new SupervisedProcess({
      command: "/bin/sh",
      args: ["-c", `exec 2>&1\n${command}`],
      cwd: path,
      env,
      clock,
      ...(registry && { registry }),
    });
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stdin.end();
    await child.started;
    const late = clock.wait(SETUP_MS, over.signal).then(() => undefined);
    if (signal.aborted) over.abort();
    const exit = await Promise.race([child.exited, late]);
    if (exit?.code === 0) return accepted(undefined);
    await child.stop();
    const how = signal.aborted
      ? "was ended, because the server stops"
      : exit
        ? exit.signal
          ? `was ended by ${exit.signal}`
          : `ended with code ${exit.code}`
        : `took longer than ${SETUP_MS / 60_000} minutes`;
    return setupFailed(how, output.toString());
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return setupFailed(`could not be started: ${error.message}`, "");
  } finally {
    signal.removeEventListener("abort", stop);
    over.abort();
  }
}

function setupFailed(how: string, output: string): ReturnType<typeof worktreeFailed> {
  const last = output.trim();
  return worktreeFailed(
    "setup_failed",
    `The worktree was not made: its setup command ${how}.${last === "" ? "" : `\n${last}`}`,
  );
}

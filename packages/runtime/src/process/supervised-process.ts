import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type Clock, detach, ignore, type Logger, systemClock } from "@turnwire/base";
import { endGroup, type GroupIdentity, markName, sendSignal } from "./process-group.ts";
import type { ProcessRegistry } from "./process-registry.ts";
import { type ProcessTable, systemProcessTable } from "./process-table.ts";
import { RuntimeError } from "./runtime-error.ts";
import { spawnError } from "./spawn-error.ts";
import { logStderr } from "./stderr-log.ts";
import { TailBuffer } from "./tail-buffer.ts";

export interface SupervisedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  /** Remembers the process, so that a crash of the server leaves no orphan. */
  readonly registry?: ProcessRegistry;
  readonly limits?: Partial<SupervisionLimits>;
  readonly clock?: Clock;
  readonly table?: ProcessTable;
  /** Gets the lines that the process writes to stderr. */
  readonly logger?: Logger;
}

export interface SupervisionLimits {
  readonly stderrBytes: number;
  /** After the exit: how long output is waited for that has not come yet. */
  readonly drainMs: number;
  /** How long a process may take to leave after its input ended, after SIGTERM, after SIGKILL. */
  readonly endMs: number;
  readonly termMs: number;
  readonly killMs: number;
}

const defaultLimits: SupervisionLimits = {
  stderrBytes: 64 * 1024,
  drainMs: 100,
  endMs: 2000,
  termMs: 5000,
  killMs: 2000,
};

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

type Registration =
  | { readonly type: "registered" }
  | { readonly type: "failed"; readonly cause: unknown };

/**
 * A command started without a shell, in a process group of its own, watched, registered, and ended
 * with all that it started. Listen to `stdout` at once: Node drops unread output at the exit.
 */
export class SupervisedProcess {
  /** For whoever speaks with the process; `stop` ends the input. */
  readonly stdin: ChildProcessWithoutNullStreams["stdin"];
  readonly stdout: ChildProcessWithoutNullStreams["stdout"];
  /** The pid, once the process runs and is registered. Rejects with a RuntimeError. */
  readonly started: Promise<number>;
  /** Resolves when the process is gone. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** As `exit`, but after the output had a moment to arrive. */
  readonly exited: Promise<ProcessExit>;
  readonly #options: SupervisedProcessOptions;
  readonly #limits: SupervisionLimits;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #identity: Promise<GroupIdentity>;
  readonly #registration: Promise<Registration>;
  readonly #stderr: TailBuffer;
  readonly #gone = new AbortController();
  #clearing: Promise<readonly number[]> | undefined;
  #stopping: Promise<readonly number[]> | undefined;

  constructor(options: SupervisedProcessOptions) {
    const mark = randomUUID();
    const child = launch(options, mark);
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#table = options.table ?? systemProcessTable();
    this.#stderr = new TailBuffer(this.#limits.stderrBytes);
    // Unread, a full pipe would block the child for ever.
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    if (options.logger) logStderr(child, options, options.logger);
    for (const emitter of [child, child.stdin, child.stderr]) emitter.on("error", ignore);
    this.exit = new Promise((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    this.exited = this.#watch(child);
    this.#identity = this.#identify(child, mark);
    this.#registration = this.#register();
    this.started = this.#start();
  }

  /** The last of what the process wrote to stderr. */
  stderr(): string {
    return this.#stderr.toString();
  }

  /**
   * Ends the process and all that it started: end of input, SIGTERM, SIGKILL, each with its
   * deadline. Safe to call twice; answers with the pids that are still there, normally none.
   */
  stop(): Promise<readonly number[]> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #watch({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<ProcessExit> {
    const drained = new AbortController();
    stdout.once("end", () => drained.abort()).once("close", () => drained.abort());
    const exit = await this.exit;
    this.#gone.abort();
    detach(this.#clear(), ignore);
    // Not until `close`: a grandchild may keep the pipes open for ever.
    await this.#clock.wait(this.#limits.drainMs, drained.signal);
    stderr.destroy();
    return exit;
  }

  async #identify(child: ChildProcess, mark: string): Promise<GroupIdentity> {
    await once(child, "spawn");
    const pid = pidOf(child);
    const entry = await this.#table.find(pid).catch(() => undefined);
    return { pid, startTime: entry?.startTime ?? "", mark };
  }

  async #register(): Promise<Registration> {
    const { registry, sessionId, command } = this.#options;
    try {
      const identity = await this.#identity;
      await registry?.add({ ...identity, command, ...(sessionId && { sessionId }) });
      return { type: "registered" };
    } catch (cause) {
      return { type: "failed", cause };
    }
  }

  async #start(): Promise<number> {
    const { pid } = await this.#identity.catch((cause: unknown) => {
      throw spawnError(cause, this.#options);
    });
    const registration = await this.#registration;
    if (registration.type === "registered") return pid;
    await this.stop();
    throw new RuntimeError(
      "spawn_failed",
      "The agent was ended again: it could not be registered. Check the data directory.",
      { cause: registration.cause },
    );
  }

  async #stop(): Promise<readonly number[]> {
    this.stdin.end();
    await this.#untilGone(this.#limits.endMs);
    const survivors = await this.#clear();
    await this.#untilGone(this.#limits.killMs);
    return survivors;
  }

  async #untilGone(ms: number): Promise<void> {
    if (!this.#isGone) await this.#clock.wait(ms, this.#gone.signal);
  }

  #clear(): Promise<readonly number[]> {
    this.#clearing ??= this.#endAndForget();
    return this.#clearing;
  }

  async #endAndForget(): Promise<readonly number[]> {
    const identity = await this.#identity.catch(() => undefined);
    // It never started, so there is nothing to end.
    if (!identity) return [];
    const survivors = await this.#endGroup(identity);
    // An entry that could not be removed is harmless: its start time never recurs.
    if (survivors.length === 0) {
      await Promise.allSettled([this.#options.registry?.remove(identity)]);
    }
    return survivors;
  }

  async #endGroup(identity: GroupIdentity): Promise<readonly number[]> {
    const { termMs, killMs } = this.#limits;
    try {
      const { survivors } = await endGroup(identity, {
        table: this.#table,
        clock: this.#clock,
        termMs,
        killMs,
        // Until the exit was seen the pid is ours: the system keeps it for the parent.
        ownsGroup: (leader) => !this.#isGone || !leader || leader.startTime === identity.startTime,
      });
      return survivors;
    } catch {
      // Blind without a process table: what can be killed is killed, what remains is unknown.
      if (!this.#isGone) sendSignal(-identity.pid, "SIGKILL");
      return [identity.pid];
    }
  }

  get #isGone(): boolean {
    return this.#gone.signal.aborted;
  }
}

function launch(options: SupervisedProcessOptions, mark: string): ChildProcessWithoutNullStreams {
  const { command, args, cwd, env } = options;
  try {
    return spawn(command, args, {
      cwd,
      env: { ...env, [markName]: mark },
      stdio: "pipe",
      detached: true,
      shell: false,
    });
  } catch (cause) {
    throw spawnError(cause, options);
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("The child process has no pid.");
  return child.pid;
}

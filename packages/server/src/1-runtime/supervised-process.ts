import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type Clock, systemClock } from "./clock.ts";
import { detach } from "./detach.ts";
import { endGroup, type GroupIdentity, markName, sendSignal } from "./process-group.ts";
import type { ProcessRegistry } from "./process-registry.ts";
import { type ProcessTable, systemProcessTable } from "./process-table.ts";
import { RuntimeError } from "./runtime.ts";
import { spawnError } from "./spawn-error.ts";
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

/** Starts a command without a shell, in a process group of its own. Rejects with a RuntimeError. */
export async function spawnSupervised(
  options: SupervisedProcessOptions,
): Promise<SupervisedProcess> {
  const mark = randomUUID();
  try {
    const child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...options.env, [markName]: mark },
      stdio: "pipe",
      detached: true,
      shell: false,
    });
    await once(child, "spawn");
    const supervised = new SupervisedProcess(child, mark, options);
    await supervised.whenRegistered;
    return supervised;
  } catch (error) {
    throw error instanceof RuntimeError ? error : spawnError(error, options);
  }
}

/** A child process that is watched, registered, and ended with all that it started. */
export class SupervisedProcess {
  readonly pid: number;
  /** For whoever speaks with the process; `stop` ends the input. */
  readonly stdin: ChildProcessWithoutNullStreams["stdin"];
  readonly stdout: ChildProcessWithoutNullStreams["stdout"];
  /** Resolves when the process is gone. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** As `exit`, but after the output had a moment to arrive. */
  readonly exited: Promise<ProcessExit>;
  /** Rejects, with the process ended again, when the registry could not be written. */
  readonly whenRegistered: Promise<void>;
  readonly #limits: SupervisionLimits;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #registry: ProcessRegistry | undefined;
  readonly #identity: Promise<GroupIdentity>;
  readonly #added: Promise<void>;
  readonly #stderr: TailBuffer;
  readonly #gone = new AbortController();
  #clearing: Promise<readonly number[]> | undefined;
  #stopping: Promise<readonly number[]> | undefined;

  constructor(
    child: ChildProcessWithoutNullStreams,
    mark: string,
    options: SupervisedProcessOptions,
  ) {
    if (child.pid === undefined) throw new RuntimeError("spawn_failed", "The child has no pid.");
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#table = options.table ?? systemProcessTable();
    this.#registry = options.registry;
    this.#stderr = new TailBuffer(this.#limits.stderrBytes);
    // Unread, a full pipe would block the child for ever.
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    for (const emitter of [child, child.stdin, child.stderr]) emitter.on("error", theExitTells);
    this.exit = new Promise((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    this.exited = this.#watch(child);
    this.#identity = this.#identify(mark);
    this.#added = this.#add(options);
    this.whenRegistered = this.#endUnlessAdded();
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
    detach(this.#clear(), theExitTells);
    // Not until `close`: a grandchild may keep the pipes open for ever.
    await this.#clock.wait(this.#limits.drainMs, drained.signal);
    stderr.destroy();
    return exit;
  }

  async #identify(mark: string): Promise<GroupIdentity> {
    const entry = await this.#table.find(this.pid).catch(() => undefined);
    return { pid: this.pid, startTime: entry?.startTime ?? "", mark };
  }

  async #add({ sessionId, command }: SupervisedProcessOptions): Promise<void> {
    const identity = await this.#identity;
    await this.#registry?.add({ ...identity, command, ...(sessionId && { sessionId }) });
  }

  async #endUnlessAdded(): Promise<void> {
    try {
      await this.#added;
    } catch (cause) {
      await this.stop();
      throw new RuntimeError(
        "spawn_failed",
        "The agent was ended again: it could not be registered. Check the data directory.",
        { cause },
      );
    }
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
    const identity = await this.#identity;
    const survivors = await this.#endGroup(identity);
    await Promise.allSettled([this.#added]);
    // An entry that could not be removed is harmless: nobody has its start time again.
    if (survivors.length === 0) await Promise.allSettled([this.#registry?.remove(identity)]);
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
      if (!this.#isGone) sendSignal(-this.pid, "SIGKILL");
      return [this.pid];
    }
  }

  get #isGone(): boolean {
    return this.#gone.signal.aborted;
  }
}

/** A broken pipe has no news of its own: the exit does. */
function theExitTells(): void {}

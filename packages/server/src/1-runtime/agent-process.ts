import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type Clock, systemClock } from "./clock.ts";
import { detach } from "./detach.ts";
import { LineReader } from "./line-reader.ts";
import type { SplitLine } from "./line-splitter.ts";
import { LineWriter } from "./line-writer.ts";
import { endGroup, type GroupIdentity, markName, sendSignal } from "./process-group.ts";
import type { ProcessRegistry } from "./process-registry.ts";
import { type ProcessTable, systemProcessTable } from "./process-table.ts";
import { RuntimeError } from "./runtime.ts";
import { spawnError } from "./spawn-error.ts";
import { TailBuffer } from "./tail-buffer.ts";

export interface AgentProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  /** Remembers the process, so that a crash of the server leaves no orphan. */
  readonly registry?: ProcessRegistry;
  readonly limits?: Partial<AgentProcessLimits>;
  readonly clock?: Clock;
  readonly table?: ProcessTable;
}

export interface AgentProcessLimits {
  readonly maxLineBytes: number;
  readonly maxQueuedBytes: number;
  readonly writeDeadlineMs: number;
  readonly stderrBytes: number;
  /** After the exit: how long output is waited for that has not come yet. */
  readonly drainMs: number;
  /** How long an agent may take to leave after its input ended, after SIGTERM, after SIGKILL. */
  readonly endMs: number;
  readonly termMs: number;
  readonly killMs: number;
}

const defaultLimits: AgentProcessLimits = {
  maxLineBytes: 16 * 1024 * 1024,
  maxQueuedBytes: 64 * 1024 * 1024,
  writeDeadlineMs: 30_000,
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

/** Starts an agent without a shell, in a process group of its own. Rejects with a RuntimeError. */
export async function spawnAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
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
    const agent = new AgentProcess(child, mark, options);
    await agent.whenRegistered;
    return agent;
  } catch (error) {
    throw error instanceof RuntimeError ? error : spawnError(error, options);
  }
}

/** An agent as a child process, with all that it starts. */
export class AgentProcess {
  readonly pid: number;
  /** The lines of stdout, read only as fast as they are taken. Read once. */
  readonly lines: AsyncIterable<SplitLine>;
  /** Resolves when the process is gone and its output had a moment to arrive. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Rejects, with the process ended, when the registry could not be written. */
  readonly whenRegistered: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: AgentProcessLimits;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #registry: ProcessRegistry | undefined;
  readonly #identity: Promise<GroupIdentity>;
  readonly #added: Promise<void>;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #stderr: TailBuffer;
  readonly #gone = new AbortController();
  #clearing: Promise<readonly number[]> | undefined;
  #stopping: Promise<readonly number[]> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, mark: string, options: AgentProcessOptions) {
    const limits = { ...defaultLimits, ...options.limits };
    const clock = options.clock ?? systemClock;
    const { maxLineBytes, drainMs, maxQueuedBytes, writeDeadlineMs } = limits;
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#limits = limits;
    this.#clock = clock;
    this.#table = options.table ?? systemProcessTable();
    this.#registry = options.registry;
    this.#reader = new LineReader(child.stdout, { clock, maxLineBytes, drainMs });
    this.#writer = new LineWriter(child.stdin, {
      clock,
      maxQueuedBytes,
      deadlineMs: writeDeadlineMs,
    });
    this.#stderr = new TailBuffer(limits.stderrBytes);
    this.lines = this.#reader;
    this.exited = this.#watch();
    this.#identity = this.#identify(mark);
    this.#added = this.#add(options);
    this.whenRegistered = this.#endUnlessAdded();
  }

  /** Sends one line; rejects with a RuntimeError when the agent is gone or does not read. */
  write(line: string): Promise<void> {
    return this.#writer.write(line);
  }

  /** The last of what the agent wrote to stderr. */
  stderr(): string {
    return this.#stderr.toString();
  }

  /**
   * Ends the agent and all that it started: end of input, SIGTERM, SIGKILL, each with its deadline.
   * Safe to call twice; answers with the pids that are still there, normally none.
   */
  stop(): Promise<readonly number[]> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #watch(): Promise<ProcessExit> {
    const { stdout, stderr } = this.#child;
    stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    for (const stream of [stderr, this.#child]) stream.on("error", nothingToAdd);
    const drained = new AbortController();
    stdout.once("end", () => drained.abort()).once("close", () => drained.abort());
    const exit = await new Promise<ProcessExit>((resolve) =>
      this.#child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    this.#gone.abort();
    this.#reader.markExited();
    this.#writer.fail(new RuntimeError("exited", `The agent has ${describeExit(exit)}.`));
    detach(this.#clear(), nothingToAdd);
    await this.#clock.wait(this.#limits.drainMs, drained.signal);
    stderr.destroy();
    return exit;
  }

  async #identify(mark: string): Promise<GroupIdentity> {
    const entry = await this.#table.find(this.pid).catch(() => undefined);
    return { pid: this.pid, startTime: entry?.startTime ?? "", mark };
  }

  async #add({ sessionId, command }: AgentProcessOptions): Promise<void> {
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
    this.#writer.end();
    await this.#untilGone(this.#limits.endMs);
    const survivors = await this.#clear();
    await this.#untilGone(this.#limits.killMs);
    this.#reader.discard();
    return survivors;
  }

  async #untilGone(ms: number): Promise<void> {
    if (!this.#isGone) await this.#clock.wait(ms, this.#gone.signal);
  }

  #clear(): Promise<readonly number[]> {
    this.#clearing ??= this.#endGroup();
    return this.#clearing;
  }

  async #endGroup(): Promise<readonly number[]> {
    const identity = await this.#identity;
    const survivors = await this.#endAll(identity);
    await Promise.allSettled([this.#added]);
    // An entry that could not be removed is harmless: nobody has its start time again.
    if (survivors.length === 0) await Promise.allSettled([this.#registry?.remove(identity)]);
    return survivors;
  }

  async #endAll(identity: GroupIdentity): Promise<readonly number[]> {
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

/** “ended with code 1”, “been ended by SIGKILL”: to follow “has”. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal ? `been ended by ${signal}` : `ended with code ${code}`;
}

/** The exit says it all; a broken pipe or a stale entry in the registry changes nothing. */
function nothingToAdd(): void {}

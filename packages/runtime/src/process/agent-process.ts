import { detach, systemClock } from "@turnwire/base";
import { LineReader } from "./line-reader.ts";
import type { SplitLine } from "./line-splitter.ts";
import { LineWriter } from "./line-writer.ts";
import { RuntimeError } from "./runtime-error.ts";
import {
  type ProcessExit,
  SupervisedProcess,
  type SupervisedProcessOptions,
  type SupervisionLimits,
} from "./supervised-process.ts";

export interface AgentProcessOptions extends Omit<SupervisedProcessOptions, "limits"> {
  readonly limits?: Partial<AgentProcessLimits>;
}

export interface AgentProcessLimits extends SupervisionLimits {
  /** A longer line is skipped and reported. */
  readonly maxLineBytes: number;
  /** More is never queued for an agent that does not read. */
  readonly maxQueuedBytes: number;
  /** An agent that does not take a line within this time is stalled. */
  readonly writeDeadlineMs: number;
}

/** Starts an agent that speaks in lines. Rejects with a RuntimeError. */
export async function spawnAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  const { clock = systemClock, limits = {} } = options;
  const process = new SupervisedProcess(options);
  const reader = new LineReader(process.stdout, {
    clock,
    maxLineBytes: limits.maxLineBytes ?? 16 * 1024 * 1024,
    drainMs: limits.drainMs ?? 100,
  });
  const writer = new LineWriter(process.stdin, {
    clock,
    maxQueuedBytes: limits.maxQueuedBytes ?? 64 * 1024 * 1024,
    deadlineMs: limits.writeDeadlineMs ?? 30_000,
  });
  return new AgentProcess({ pid: await process.started, process, reader, writer });
}

interface AgentProcessParts {
  readonly pid: number;
  readonly process: SupervisedProcess;
  readonly reader: LineReader;
  readonly writer: LineWriter;
}

/** A supervised process that takes lines and gives lines. */
export class AgentProcess {
  readonly pid: number;
  /** Resolves when the process is gone and its output had a moment to arrive. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #process: SupervisedProcess;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;

  constructor({ pid, process, reader, writer }: AgentProcessParts) {
    this.pid = pid;
    this.exited = process.exited;
    this.#process = process;
    this.#reader = reader;
    this.#writer = writer;
    const left = process.exit.then((exit) => {
      reader.markExited();
      writer.fail(new RuntimeError("exited", `The agent has ${describeExit(exit)}.`));
    });
    detach(left, (error) => {
      throw error;
    });
  }

  /** The lines of stdout, read only as fast as they are taken. Read once. */
  get lines(): AsyncIterable<SplitLine> {
    return this.#reader;
  }

  /** Sends one line; rejects with a RuntimeError when the agent is gone or does not read. */
  write(line: string): Promise<void> {
    return this.#writer.write(line);
  }

  /** How it ended, in words; resolves when it has. */
  async ended(): Promise<string> {
    const { code, signal } = await this.exited;
    return signal ? `was ended by ${signal}` : `ended with code ${code}`;
  }

  /** The last of what the agent wrote to stderr. */
  stderr(): string {
    return this.#process.stderr();
  }

  /** Ends the agent and all that it started; answers with the pids that would not go. */
  async stop(): Promise<readonly number[]> {
    const survivors = await this.#process.stop();
    this.#reader.discard();
    return survivors;
  }
}

/** To follow “has”: “ended with code 1”, “been ended by SIGKILL”. */
function describeExit({ code, signal }: ProcessExit): string {
  return signal ? `been ended by ${signal}` : `ended with code ${code}`;
}

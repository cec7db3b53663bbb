import { type Run, RuntimeError, type RunOptions } from "../runtime.ts";
import { type Agent, startAgent, untilReady } from "./agent.ts";
import { MessageQueue } from "./message-queue.ts";
import type { ClaudeRuntimeOptions } from "./options.ts";
import { type Position, positionFromId } from "./position.ts";
import { ClaudeRun } from "./run.ts";
import { type ClaudeSdk, loadSdk } from "./sdk.ts";
import { createTranscripts } from "./transcript.ts";

/** The runs of one runtime: no two of them write to one provider session. */
export class ClaudeRuns {
  readonly #options: ClaudeRuntimeOptions;
  readonly #held = new Set<string>();

  constructor(options: ClaudeRuntimeOptions) {
    this.#options = options;
  }

  async createRun(run: RunOptions): Promise<Run> {
    const sdk = await loadSdk();
    const position = run.resume === undefined ? undefined : positionFromId(run.resume);
    const held = position?.sessionId;
    if (held !== undefined) this.#hold(held);
    const release = (): void => {
      if (held !== undefined) this.#held.delete(held);
    };
    const messages = new MessageQueue<unknown>();
    const start = (next: RunOptions, at: Position | undefined): Promise<Agent> =>
      this.#start(sdk, messages, { run: next, position: at });
    try {
      const agent = await start(run, position);
      return new ClaudeRun(agent, {
        run,
        position,
        messages,
        transcripts: createTranscripts(sdk),
        restart: start,
        onClosed: release,
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  #hold(sessionId: string): void {
    if (this.#held.has(sessionId)) {
      throw new RuntimeError(
        "resume_failed",
        `Another session writes to the Claude session ${sessionId}. Close it first.`,
      );
    }
    this.#held.add(sessionId);
  }

  async #start(
    sdk: ClaudeSdk,
    messages: MessageQueue<unknown>,
    { run, position }: { run: RunOptions; position: Position | undefined },
  ): Promise<Agent> {
    const { startMs = 60_000 } = this.#options;
    const emit = (message: unknown): void => messages.push(message);
    const agent = startAgent({ sdk, runtime: this.#options, run, position, emit });
    await untilReady(agent, startMs, position !== undefined && !position.isStart);
    return agent;
  }
}

import { type Agent, untilReady } from "../claude/agent.ts";
import { type ClaudeRuntimeOptions, hookEventsOf } from "../claude/options.ts";
import { type Position, positionFromId } from "../claude/position.ts";
import { ClaudeRun } from "../claude/run.ts";
import type { RunMessage } from "../claude/run-message.ts";
import { SessionClaims } from "../claude/session-claim.ts";
import { MessageQueue } from "../message-queue.ts";
import type { Run, RunOptions } from "../runtime.ts";
import { cliCapabilitiesFrom } from "./capabilities.ts";
import { noTitles } from "./titles.ts";
import { startStdioAgent } from "./stdio-agent.ts";

/** The runs whose CLIs are children of ours. */
export class StdioRuns {
  readonly #options: ClaudeRuntimeOptions;
  readonly #claims = new SessionClaims();

  constructor(options: ClaudeRuntimeOptions) {
    this.#options = options;
  }

  async createRun(run: RunOptions): Promise<Run> {
    const position = run.resume === undefined ? undefined : positionFromId(run.resume);
    const claim = this.#claims.take(position?.sessionId);
    const messages = new MessageQueue<unknown>();
    const emit = (message: RunMessage): void => messages.push(message);
    try {
      const agent = await this.#start(run, position, emit);
      const hookEvents = hookEventsOf(this.#options, run);
      const introduction = await agent.query.initializationResult();
      const capabilities = cliCapabilitiesFrom(introduction, { ...this.#options, hookEvents });
      emit({ type: "turnwire/run_info", capabilities });
      return new ClaudeRun(agent, {
        run,
        position,
        messages,
        claim,
        onIdle: () => undefined,
        title: noTitles,
        // No rollback is offered: nothing asks for a transcript.
        readTranscript: () => Promise.resolve([]),
        restart: (next, at) => this.#start(next, at, emit),
      });
    } catch (error) {
      claim.leave();
      throw error;
    }
  }

  async #start(
    run: RunOptions,
    position: Position | undefined,
    emit: (message: RunMessage) => void,
  ): Promise<Agent> {
    const { startMs = 60_000 } = this.#options;
    const agent = await startStdioAgent({ runtime: this.#options, run, position, emit });
    await untilReady(agent, startMs, position !== undefined && !position.isStart);
    return agent;
  }
}

import { type Agent, untilReady } from "../claude/agent.ts";
import { type ClaudeRuntimeOptions, hookEventsOf } from "../claude/options.ts";
import { positionFromId } from "../claude/position.ts";
import { ClaudeRun } from "../claude/run.ts";
import type { RunMessage } from "../claude/run-message.ts";
import { SessionClaims } from "../claude/session-claim.ts";
import { MessageQueue } from "../message-queue.ts";
import type { Run, RunOptions } from "../runtime.ts";
import { CatalogMemory } from "../ui-tool/catalog-memory.ts";
import { cliCapabilitiesFrom } from "./capabilities.ts";
import { noTitles } from "./titles.ts";
import { startStdioAgent, type StdioAgentOptions } from "./stdio-agent.ts";

/** The runs whose CLIs are children of ours. */
export class StdioRuns {
  readonly #options: ClaudeRuntimeOptions;
  readonly #claims = new SessionClaims();
  readonly #known = new CatalogMemory();

  constructor(options: ClaudeRuntimeOptions) {
    this.#options = options;
  }

  async createRun(run: RunOptions): Promise<Run> {
    const position = run.resume === undefined ? undefined : positionFromId(run.resume);
    const claim = this.#claims.take(position?.sessionId);
    const messages = new MessageQueue<unknown>();
    const emit = (message: RunMessage): void => messages.push(message);
    const known = this.#known.of(run.sessionId);
    const outlet = { known, emit, taken: () => messages.taken() };
    try {
      const agent = await this.#start({ run, position, ...outlet });
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
        restart: (next, at) => {
          known.forgetTold();
          return this.#start({ run: next, position: at, ...outlet });
        },
      });
    } catch (error) {
      claim.leave();
      throw error;
    }
  }

  async #start(start: Omit<StdioAgentOptions, "runtime">): Promise<Agent> {
    const { position } = start;
    const { startMs = 60_000 } = this.#options;
    const agent = await startStdioAgent({ runtime: this.#options, ...start });
    await untilReady(agent, startMs, position !== undefined && !position.isStart);
    return agent;
  }
}

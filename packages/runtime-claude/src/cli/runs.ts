import { type Agent, untilReady } from "../sdk/agent.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { hookEventsOf } from "../sdk/options.ts";
import { positionFromId } from "../transcript/position.ts";
import { LostInputs } from "../transcript/lost-input.ts";
import { mirrorFor, prepareResumption, resumeProblem } from "../transcript/resumption.ts";
import { accountFrom } from "../sdk/account.ts";
import { ClaudeRun } from "../sdk/run.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { SessionClaims } from "../sdk/session-claim.ts";
import { MessageQueue } from "@turnwire/runtime/process";
import type { Run, RunOptions } from "@turnwire/runtime";
import { CatalogMemory } from "@turnwire/runtime/ui-tool";
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
    const resumed = run.resume === undefined ? undefined : positionFromId(run.resume);
    const claim = this.#claims.take(resumed?.sessionId);
    const messages = new MessageQueue<unknown>();
    const emit = (message: RunMessage): void => messages.push(message);
    const known = this.#known.of(run.sessionId);
    const mirror = mirrorFor(this.#options, run);
    const outlet = { known, emit, taken: () => messages.taken(), mirror };
    const lost = new LostInputs(this.#options, run);
    try {
      const position = await prepareResumption(this.#options, { run, position: resumed, mirror });
      const agent = await this.#start({ run, position, ...outlet });
      const hookEvents = hookEventsOf(this.#options, run);
      const introduction = await agent.query.initializationResult();
      const capabilities = cliCapabilitiesFrom(introduction, { ...this.#options, hookEvents });
      emit({ type: "turnwire/run_info", capabilities, account: accountFrom(introduction) });
      return new ClaudeRun(agent, {
        run,
        position,
        messages,
        claim,
        lost,
        onIdle: () => undefined,
        title: noTitles,
        // No rollback is offered: nothing asks for a transcript.
        readTranscript: () => Promise.resolve([]),
        restart: (next, at) => {
          known.forgetConversation();
          lost.renew();
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
    try {
      await untilReady(agent, startMs, position !== undefined && !position.isStart);
    } catch (error) {
      throw await resumeProblem(error, this.#options, start);
    }
    return agent;
  }
}

import { accountFrom } from "./account.ts";
import type { Run, RunOptions } from "@turnwire/runtime";
import { CatalogMemory, type KnownCatalog } from "@turnwire/runtime/ui-tool";
import { MessageQueue } from "@turnwire/runtime/process";
import { type Agent, startAgent, untilReady } from "./agent.ts";
import { capabilitiesFrom } from "./capabilities.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { hookEventsOf } from "./options.ts";
import { type Position, positionFromId } from "../transcript/position.ts";
import { ClaudeRun } from "./run.ts";
import { type ClaudeSdk, loadSdk } from "../setting/sdk.ts";
import { readTranscript } from "../transcript/transcript.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";
import { LostInputs } from "../transcript/lost-input.ts";
import { mirrorFor, prepareResumption, resumeProblem } from "../transcript/resumption.ts";
import { WarmAgents } from "./warm.ts";
import { SessionClaims } from "./session-claim.ts";

interface Start {
  readonly sdk: ClaudeSdk;
  readonly run: RunOptions;
  readonly position: Position | undefined;
  readonly known: KnownCatalog;
  readonly emit: (message: RunMessage) => void;
  readonly taken: () => Promise<void>;
  readonly mirror: TranscriptMirror | undefined;
}

/** The runs of one runtime, and what they share. */
export class ClaudeRuns {
  readonly #options: ClaudeRuntimeOptions;
  readonly #claims = new SessionClaims();
  readonly #warm: WarmAgents;
  readonly #known = new CatalogMemory();

  constructor(options: ClaudeRuntimeOptions) {
    this.#options = options;
    this.#warm = new WarmAgents(options);
  }

  async createRun(run: RunOptions): Promise<Run> {
    const sdk = await loadSdk();
    const resumed = run.resume === undefined ? undefined : positionFromId(run.resume);
    const claim = this.#claims.take(resumed?.sessionId);
    const messages = new MessageQueue<unknown>();
    const emit = (message: RunMessage): void => messages.push(message);
    const taken = (): Promise<void> => messages.taken();
    const known = this.#known.of(run.sessionId);
    const outlet = { emit, taken };
    const mirror = mirrorFor(this.#options, run);
    const lost = new LostInputs(this.#options, run);
    try {
      const position = await prepareResumption(this.#options, { run, position: resumed, mirror });
      const agent =
        (await this.#warm.take(run, { ...outlet, mirror }, known)) ??
        (await this.#start({ sdk, run, position, known, mirror, ...outlet }));
      const hookEvents = hookEventsOf(this.#options, run);
      const introduction = await agent.query.initializationResult();
      const capabilities = capabilitiesFrom(introduction, { ...this.#options, hookEvents });
      emit({ type: "turnwire/run_info", capabilities, account: accountFrom(introduction) });
      return new ClaudeRun(agent, {
        run,
        position,
        messages,
        claim,
        lost,
        onIdle: () => this.#warm.fill(sdk, mirror !== undefined),
        title: {
          rename: (sessionId, title) => sdk.renameSession(sessionId, title),
          read: (sessionId) => sdk.getSessionInfo(sessionId),
          onTitle: (title) => emit({ type: "turnwire/title", title }),
        },
        readTranscript: (at) => readTranscript(sdk, at, mirror),
        restart: (next, at) => {
          known.forgetConversation();
          lost.renew();
          return this.#start({ sdk, run: next, position: at, known, mirror, ...outlet });
        },
      });
    } catch (error) {
      claim.leave();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#warm.close();
  }

  async #start(start: Start): Promise<Agent> {
    const { position } = start;
    const { startMs = 60_000 } = this.#options;
    const agent = startAgent({ runtime: this.#options, ...start });
    try {
      await untilReady(agent, startMs, position !== undefined && !position.isStart);
    } catch (error) {
      throw await resumeProblem(error, this.#options, start);
    }
    return agent;
  }
}

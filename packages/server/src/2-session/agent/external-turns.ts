import { draft } from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";
import type { Store } from "@turnwire/log";
import type { Runtime, TimedDraft, TranscriptPort } from "@turnwire/runtime";
import type { Recorder } from "../record/recorder.ts";
import type { Retention } from "../record/retention.ts";
import type { SessionAgent } from "./session-agent.ts";
import { lastTurnEnd, readTurnIds } from "../decide/turn-list.ts";

export interface ExternalTurnsOptions {
  readonly runtime: Pick<Runtime, "history">;
  readonly recorder: Recorder;
  readonly agent: Pick<SessionAgent, "isAttached">;
  readonly store: Store;
  readonly retention: Pick<Retention, "hold">;
  readonly transcripts: TranscriptPort | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** A message waits for this reading: then it is delivered without. */
const maxReadMs = 5_000;

/** Of more than these, only the newest are shown. */
const maxTurns = 100;

type Turn = readonly TimedDraft[];

/**
 * Adds to the log the turns that the conversation got while no agent of ours was attached: a person
 * may continue it in a terminal. A failure is reported and holds nothing up.
 */
export class ExternalTurns {
  readonly #options: ExternalTurnsOptions;

  constructor(options: ExternalTurnsOptions) {
    this.#options = options;
  }

  /** Whether there could be any: the conversation has begun, and nothing of ours works on it. */
  get isDue(): boolean {
    const { runtime, agent, recorder } = this.#options;
    const { session, turn, queue, last_turn_id: lastTurnId } = recorder.control;
    return (
      runtime.history?.readExternal !== undefined &&
      session.provider_session_id !== undefined &&
      session.status !== "archived" &&
      lastTurnId !== null &&
      turn === null &&
      queue.length === 0 &&
      !agent.isAttached
    );
  }

  async catchUp(): Promise<void> {
    if (!this.isDue) return;
    const { recorder, onError } = this.#options;
    try {
      const turns = await this.#readInTime();
      // An agent that was started meanwhile may have begun a turn.
      if (turns.length === 0 || !this.isDue) return;
      await recorder.record(eventsFromMissed(turns)).committed;
    } catch (error) {
      onError(error);
    }
  }

  async #readInTime(): Promise<readonly Turn[]> {
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error("The agent's record of the conversation could not be read in time.");
      cancel = startTimer(this.#options.clock, maxReadMs, () => reject(error));
    });
    try {
      return await Promise.race([this.#read(), late]);
    } finally {
      cancel();
    }
  }

  async #read(): Promise<readonly Turn[]> {
    const { runtime, recorder, retention, store, transcripts } = this.#options;
    const { control, log } = recorder;
    const { provider_session_id: providerSessionId } = control.session;
    const since = await retention.hold(() => lastTurnEnd(log));
    if (providerSessionId === undefined || since === undefined) return [];
    const knownTurnIds = () => retention.hold(() => readTurnIds(log, store));
    const place = transcripts && { transcripts };
    const query = { providerSessionId, since, knownTurnIds, ...place };
    return (await runtime.history?.readExternal?.(query)) ?? [];
  }
}

/** All turns at once, so that none is ever seen running. Each states where it comes from. */
function eventsFromMissed(turns: readonly Turn[]): TimedDraft[] {
  const shown = turns.slice(-maxTurns);
  const left = turns.length - shown.length;
  return shown.flatMap((turn, index) => withNotice(turn, index === 0 ? left : 0));
}

function withNotice(turn: Turn, left: number): TimedDraft[] {
  const missing = left === 0 ? "" : ` ${left} earlier turns from there are not shown.`;
  const text = `This turn was not sent here, but in the agent's own program.${missing}`;
  return turn.flatMap((event): TimedDraft[] => {
    if (event.type !== "turn_started") return [event];
    const place = { turn_id: event.data.turn_id };
    return [event, { ...draft("notice", { level: "info", text }, place), ts: event.ts }];
  });
}

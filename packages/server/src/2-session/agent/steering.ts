import { draft } from "@turnwire/protocol";
import type { Effect } from "../decide/effect.ts";
import type { Recorder } from "../record/recorder.ts";
import type { SessionAgent } from "./session-agent.ts";

export interface SteeringOptions {
  readonly agent: Pick<SessionAgent, "steer">;
  readonly recorder: Pick<Recorder, "record">;
  /** The session has ended: nothing can be queued any more. */
  readonly hasEnded: () => boolean;
}

/** Messages that join a running turn: each reaches the agent, or the queue instead. */
export class Steering {
  readonly #options: SteeringOptions;
  #accepted = 0;

  constructor(options: SteeringOptions) {
    this.#options = options;
  }

  /** Some were accepted and have reached neither. */
  get isUnderWay(): boolean {
    return this.#accepted > 0;
  }

  accept(effects: readonly Effect[]): void {
    this.#accepted += effects.filter(({ type }) => type === "steer").length;
  }

  async deliver({ input, message }: Extract<Effect, { type: "steer" }>): Promise<void> {
    const { agent, recorder, hasEnded } = this.#options;
    const isHeard = await agent.steer(input);
    this.#accepted -= 1;
    if (isHeard || hasEnded()) return;
    // What was accepted runs: a message that came too late to steer gets a turn of its own.
    recorder.record([draft("message_deferred", message)]);
  }
}

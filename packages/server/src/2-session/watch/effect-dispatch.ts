import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import { detach } from "@turnwire/base";
import type { Effect } from "../decide/effect.ts";

export interface EffectDispatchOptions {
  readonly perform: (effect: Effect) => Promise<void>;
  /** An effect failed that no caller waits for. */
  readonly onFailed: (error: unknown) => void;
}

/** Passes commands to the agent, in the order of the commands. */
export class EffectDispatch {
  readonly #options: EffectDispatchOptions;
  #delivered: Promise<void> = Promise.resolve();

  constructor(options: EffectDispatchOptions) {
    this.#options = options;
  }

  /** Resolves when the agent has received what was commanded so far; what comes of it is not waited for. */
  get delivered(): Promise<void> {
    return this.#delivered;
  }

  /** The command's answer leaves first: agent-webkit's hook mistakes a turn's end for its middle otherwise. */
  afterAnswer(effects: readonly Effect[]): void {
    if (effects.length > 0) this.#delivered = this.#deliver(effects);
  }

  now(effect: Effect): void {
    const { perform, onFailed } = this.#options;
    detach(perform(effect), onFailed);
  }

  async #deliver(effects: readonly Effect[]): Promise<void> {
    await nextTurnOfLoop();
    for (const effect of effects) this.now(effect);
    await nextTurnOfLoop();
  }
}

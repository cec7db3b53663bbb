import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import { detach } from "@turnwire/base";
import type { Effect } from "./effect.ts";

export interface EffectDispatchOptions {
  readonly perform: (effect: Effect) => Promise<void>;
  /** An effect failed that nobody waits for. */
  readonly onFailed: (error: unknown) => void;
}

/** Tells the agent what was commanded, in the order of the commands. */
export class EffectDispatch {
  readonly #options: EffectDispatchOptions;
  #told: Promise<void> = Promise.resolve();

  constructor(options: EffectDispatchOptions) {
    this.#options = options;
  }

  /** Resolves when the agent has been told what was commanded so far; what comes of it is not waited for. */
  get told(): Promise<void> {
    return this.#told;
  }

  /** The command's answer leaves first: agent-webkit's hook mistakes a turn's end for its middle otherwise. */
  afterAnswer(effects: readonly Effect[]): void {
    if (effects.length > 0) this.#told = this.#tell(effects);
  }

  now(effect: Effect): void {
    const { perform, onFailed } = this.#options;
    detach(perform(effect), onFailed);
  }

  async #tell(effects: readonly Effect[]): Promise<void> {
    await nextTurnOfLoop();
    for (const effect of effects) this.now(effect);
    await nextTurnOfLoop();
  }
}

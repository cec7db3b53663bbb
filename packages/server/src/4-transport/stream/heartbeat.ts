import { type Clock, startTimer } from "@turnwire/base";

/** The pulse of a server: everything that watches over connections counts in it. */
export const BEAT_MS = 1_000;

/** One timer for all connections, and none while there is no connection. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(onBeat: () => void): () => void {
    this.#listeners.add(onBeat);
    if (!this.#cancel) this.#wait();
    return () => {
      this.#listeners.delete(onBeat);
      if (this.#listeners.size > 0) return;
      this.#cancel?.();
      this.#cancel = undefined;
    };
  }

  #wait(): void {
    this.#cancel = startTimer(this.#clock, BEAT_MS, () => {
      this.#wait();
      for (const onBeat of this.#listeners) onBeat();
    });
  }
}

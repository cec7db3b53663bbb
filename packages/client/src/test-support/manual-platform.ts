import { createPlatform, type Hint, type Platform } from "../5-connection/platform.ts";

/** A platform whose time, timers, randomness and hints a test holds in its hands. */
export class ManualPlatform {
  readonly errors: unknown[] = [];
  readonly platform: Platform;
  now = 1_000_000;
  #timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  readonly #hintListeners = new Set<(hint: Hint) => void>();
  #ids = 0;

  constructor(parts: Partial<Platform> = {}) {
    this.platform = createPlatform({
      now: () => this.now,
      random: () => 0.5,
      createId: () => `id-${++this.#ids}`,
      startTimer: (callback, delayMs) => this.#startTimer(callback, delayMs),
      onHint: (listener) => {
        this.#hintListeners.add(listener);
        return () => this.#hintListeners.delete(listener);
      },
      reportError: (error) => this.errors.push(error),
      ...parts,
    });
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  get hintListenerCount(): number {
    return this.#hintListeners.size;
  }

  /** Lets time pass; timers that are due fire in their order. */
  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= until);
      const next = due.toSorted((left, right) => left.at - right.at)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.now = next.at;
      next.callback();
    }
    this.now = until;
  }

  hint(hint: Hint): void {
    for (const listener of this.#hintListeners) listener(hint);
  }

  #startTimer(callback: () => void, delayMs: number): () => void {
    const timer = { at: this.now + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}

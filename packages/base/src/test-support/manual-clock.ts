import type { Clock } from "@turnwire/base";

interface Waiter {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  #now: number;
  #waiters: Waiter[] = [];

  constructor(start = Date.parse("2026-01-01T00:00:00.000Z")) {
    this.#now = start;
  }

  /** How many still wait: none when everything that was opened has been closed. */
  get waiting(): number {
    return this.#waiters.length;
  }

  now(): number {
    return this.#now;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiter = { at: this.#now + ms, wake: resolve };
      this.#waiters.push(waiter);
      signal?.addEventListener("abort", () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve();
      });
    });
  }

  /** Sets the time without waking anybody: what a stepped system clock does. */
  step(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass; timers that are due fire, earliest first. */
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#waiters
      .filter((waiter) => waiter.at <= this.#now)
      .toSorted((a, b) => a.at - b.at);
    this.#waiters = this.#waiters.filter((waiter) => waiter.at > this.#now);
    for (const waiter of due) waiter.wake();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

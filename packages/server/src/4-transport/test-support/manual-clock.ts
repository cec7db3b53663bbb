import type { Clock } from "../../1-runtime/clock.ts";

interface Waiting {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that only moves when a test moves it. */
export class ManualClock implements Clock {
  #now = Date.parse("2026-11-15T09:00:00.000Z");
  #waiting: Waiting[] = [];

  now(): number {
    return this.#now;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = { at: this.#now + ms, wake: resolve };
      this.#waiting.push(waiting);
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        resolve();
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Moves on, waking in order whoever has waited long enough, also those who wait anew meanwhile. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything run that is ready to run. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

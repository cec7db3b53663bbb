import { setTimeout as sleep } from "node:timers/promises";

/** Time as the code sees it, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; for people and durations, never for order. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node fires a timer that is longer than this at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    try {
      for (let left = ms; ; left -= MAX_TIMER_MS) {
        await sleep(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {});
        if (left <= MAX_TIMER_MS) return;
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

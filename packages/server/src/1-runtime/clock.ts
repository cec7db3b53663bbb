import { setTimeout as sleep } from "node:timers/promises";

/** Time as the code sees it, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; for people and durations, never for order. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

import type { AbortSignal } from "./abort-signal.ts";

/** Time as the code sees it, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; for people and durations, never for order. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node and browsers fire a timer that is longer than this at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    for (let left = ms; ; left -= MAX_TIMER_MS) {
      if (signal?.aborted) return;
      await sleep(Math.min(left, MAX_TIMER_MS), signal);
      if (left <= MAX_TIMER_MS) return;
    }
  },
};

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish);
  });
}

import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;

/** Watches for how long this process keeps others waiting; the answer is the longest block, in ms. */
export function watchEventLoop(): { stop(): number } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    stop() {
      delay.disable();
      return Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    },
  };
}

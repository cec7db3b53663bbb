import type { Clock } from "../1-runtime/clock.ts";
import { detach } from "../1-runtime/detach.ts";

/** Calls back once after a while; the returned function cancels. */
export function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const abort = new AbortController();
  const waiting = clock.wait(ms, abort.signal).then(() => {
    if (!abort.signal.aborted) callback();
  });
  detach(waiting, (error) => {
    throw error;
  });
  return () => abort.abort();
}

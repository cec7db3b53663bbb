import type { Clock } from "../1-runtime/clock.ts";
import { detach } from "../1-runtime/detach.ts";

/** Calls back once after a while; the returned function cancels. */
export function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const abort = new AbortController();
  const run = async () => {
    await clock.wait(ms, abort.signal);
    if (!abort.signal.aborted) callback();
  };
  detach(run(), (error) => {
    throw error;
  });
  return () => abort.abort();
}

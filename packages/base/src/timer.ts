import type { Clock } from "./clock.ts";
import { detach } from "./detach.ts";

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

import type { Platform } from "./platform.ts";

/** Lets work run on its own; it funnels its own failures, so what it throws is a bug to be seen. */
export function detach(work: Promise<void>, platform: Platform): void {
  work.catch((error: unknown) => platform.reportError(error));
}

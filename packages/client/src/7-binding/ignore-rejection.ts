import { detach, ignore } from "@turnwire/base";

/** Lets work continue by itself: the session's view reports how it failed. */
export function ignoreRejection(work: Promise<unknown>): void {
  detach(work, ignore);
}

import { longestBackoffMs } from "../5-connection/backoff.ts";
import { createPlatform, type Platform } from "../5-connection/platform.ts";

/** Waits that the client chooses are over at once; limits for others, which are longer, never pass. */
export function createHastyPlatform(parts: Partial<Platform> = {}): {
  readonly platform: Platform;
  /** The waits asked for, in milliseconds. */
  readonly waits: number[];
  readonly errors: unknown[];
} {
  const waits: number[] = [];
  const errors: unknown[] = [];
  const platform = createPlatform({
    random: () => 0.5,
    startTimer: (callback, delayMs) => {
      if (delayMs > longestBackoffMs) return () => {};
      waits.push(delayMs);
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
    reportError: (error) => errors.push(error),
    ...parts,
  });
  return { platform, waits, errors };
}

const firstMs = 250;

/** The longest wait that the client chooses by itself. */
export const longestBackoffMs = 8_000;

/** Timers beyond this fire at once. */
const longestTimerMs = 2_147_483_647;

export interface BackoffOptions {
  /** Failures in a row, from 1. */
  readonly attempt: number;
  /** From 0 up to, without, 1. */
  readonly random: number;
  /** The pause that the server asked for; the wait is never shorter. */
  readonly atLeastMs?: number;
}

/** Exponential with full jitter, on top of what the server asked for. */
export function backoffMs({ attempt, random, atLeastMs = 0 }: BackoffOptions): number {
  const ceiling = Math.min(longestBackoffMs, firstMs * 2 ** (attempt - 1));
  return Math.min(longestTimerMs, atLeastMs + Math.floor(random * ceiling));
}

import { backoffMs } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import { createDeadline } from "./deadline.ts";
import type { AbortSignal, Platform } from "./platform.ts";

export interface RetryOptions {
  /** Tries in all. */
  readonly attempts: number;
  readonly signal?: AbortSignal | undefined;
}

/** Repeats a call that is harmless to repeat while its failures may pass. */
export async function retrying<Result>(
  platform: Platform,
  { attempts, signal }: RetryOptions,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof ClientError) || !mayPass(thrown) || attempt >= attempts) throw thrown;
      const { retryAfterMs: atLeastMs = 0 } = thrown;
      await sleep(platform, backoffMs({ attempt, random: platform.random(), atLeastMs }), signal);
    }
  }
}

const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** The server's own word on it counts most; a bare status comes from something in between. */
function mayPass({ code, error, status }: ClientError): boolean {
  if (code === "network" || code === "timeout") return true;
  if (error) return error.retryable;
  return status !== undefined && (status >= 500 || passingStatuses.has(status));
}

async function sleep(
  platform: Platform,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = createDeadline(platform, { name: "Waiting to try again", signal });
  let stop: (() => void) | undefined;
  try {
    await deadline.race(
      new Promise<void>((resolve) => {
        stop = platform.startTimer(resolve, ms);
      }),
    );
  } finally {
    stop?.();
    deadline.release();
  }
}

import { ClientError } from "./client-error.ts";
import type { AbortSignal, Platform } from "./platform.ts";

export interface DeadlineOptions {
  /** The operation with the deadline, for the error's message. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The caller's signal and a time limit as one signal that knows why it fired. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly error: ClientError | undefined;
  /** Rejects with `error` when it comes first. */
  race<Value>(work: Promise<Value>): Promise<Value>;
  /** Fires the signal for another reason. */
  cancel(): void;
  /** Stops the time and forgets the caller's signal. */
  release(): void;
}

export function createDeadline(platform: Platform, options: DeadlineOptions): Deadline {
  const { name, signal, timeoutMs } = options;
  const abort = platform.createAbort();
  const passed = new Set<(error: ClientError) => void>();
  let error: ClientError | undefined;
  const end = (reason: ClientError): void => {
    error ??= reason;
    abort.abort();
    for (const reject of passed) reject(error);
    release();
  };
  const onAbort = (): void => end(new ClientError("aborted", `${name} was given up`));
  const stopTimer =
    timeoutMs === undefined
      ? undefined
      : platform.startTimer(() => {
          end(new ClientError("timeout", `${name} took longer than ${timeoutMs} ms`));
        }, timeoutMs);
  const release = (): void => {
    stopTimer?.();
    signal?.removeEventListener("abort", onAbort);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    signal: abort.signal,
    get error() {
      return error;
    },
    race: (work) =>
      new Promise((resolve, reject) => {
        if (error) {
          reject(error);
          return;
        }
        passed.add(reject);
        work.then(resolve, reject).finally(() => passed.delete(reject));
      }),
    cancel: () => abort.abort(),
    release,
  };
}

import type { SessionEvent } from "@turnwire/protocol";
import { ClientError } from "./client-error.ts";
import type { ConnectionState } from "./connection-state.ts";
import { follow, type FollowOptions, type Update } from "./follow.ts";
import type { AbortSignal } from "./platform.ts";

export interface TailOptions extends Omit<FollowOptions, "onUpdate"> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A session's events one by one, across reconnects, until the session is closed.
 * A reader that does not read on holds the stream, not memory. Leaving the loop stops following.
 */
export async function* tail(options: TailOptions): AsyncGenerator<SessionEvent, void, void> {
  const queue = new BatchQueue();
  const following = follow({ ...options, onUpdate: (update) => queue.put(update) });
  const onAbort = (): void => queue.fail(new ClientError("aborted", "Reading was given up"));
  if (options.signal?.aborted) onAbort();
  else options.signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      const events = await queue.take();
      if (!events) return;
      yield* events;
    }
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    following.stop();
  }
}

/** Putting resolves when the events have been taken, so that the stream is at most one batch ahead. */
class BatchQueue {
  #batch: readonly SessionEvent[] = [];
  #end: { readonly error?: ClientError } | undefined;
  #onTaken: (() => void)[] = [];
  #onPut: () => void = () => {};

  put({ events, connection }: Update): Promise<void> | undefined {
    this.#end ??= endOf(connection);
    this.#batch = this.#batch.length === 0 ? events : [...this.#batch, ...events];
    this.#onPut();
    if (this.#batch.length === 0) return undefined;
    return new Promise((resolve) => {
      this.#onTaken.push(resolve);
    });
  }

  /** Overtakes what has not been taken. */
  fail(error: ClientError): void {
    this.#batch = [];
    this.#end = { error };
    this.#onPut();
  }

  /** Undefined at the end; throws where it is a bad one. */
  async take(): Promise<readonly SessionEvent[] | undefined> {
    while (this.#batch.length === 0 && !this.#end) {
      await new Promise<void>((resolve) => {
        this.#onPut = resolve;
      });
    }
    const batch = this.#batch;
    this.#batch = [];
    for (const onTaken of this.#onTaken.splice(0)) onTaken();
    if (batch.length > 0) return batch;
    if (this.#end?.error) throw this.#end.error;
    return undefined;
  }
}

function endOf(connection: ConnectionState): { error?: ClientError } | undefined {
  if (connection.type === "failed") return { error: connection.error };
  return connection.type === "closed" ? {} : undefined;
}

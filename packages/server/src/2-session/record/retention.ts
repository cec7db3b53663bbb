import type { OwnedLog, Lease, Store } from "@turnwire/log";
import type { SnapshotFolder } from "./snapshot.ts";

export interface RetentionOptions {
  readonly log: OwnedLog;
  readonly store: Store;
  readonly lease: Lease;
  readonly snapshots: SnapshotFolder;
  /** About how many events to keep; all when undefined. */
  readonly retainEvents: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Trades a log's oldest events for a base state when there are more than should be kept. */
export class Retention {
  readonly #options: RetentionOptions;
  #trimming: Promise<void> | undefined;
  #isStopped = false;
  /** Who reads the log together with its base; a trim would come between the two. */
  #holders = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** The log is being read together with its base: nothing is trimmed meanwhile. */
  get isSuspended(): boolean {
    return this.#holders > 0;
  }

  /** Looks whether it is time to trim; the trim runs by itself. */
  check(): void {
    const { log, retainEvents, onError } = this.#options;
    if (retainEvents === undefined || this.#trimming || this.#isStopped || this.#holders > 0)
      return;
    const kept = log.head - log.oldest + 1;
    // Trimmed in steps: each costs a fold and a transaction.
    if (kept <= retainEvents + (retainEvents >> 2)) return;
    this.#trimming = this.#trim(log.head - retainEvents)
      .catch(onError)
      .finally(() => {
        this.#trimming = undefined;
      });
  }

  /** Runs `work` while nothing is trimmed. */
  async hold<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#holders += 1;
    try {
      await this.#trimming;
      return await work();
    } finally {
      this.#holders -= 1;
      this.check();
    }
  }

  /** Trims no more; resolves when a trim in progress is over, while the lease still holds. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#trimming;
  }

  async #trim(upTo: number): Promise<void> {
    const { log, store, lease, snapshots } = this.#options;
    const state = await snapshots.at(upTo);
    await store.trim(log.sessionId, lease.generation, { seq: state.seq, state });
    log.markTrimmed(state.seq);
  }
}

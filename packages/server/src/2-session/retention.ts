import { detach } from "../1-runtime/detach.ts";
import type { EventLog } from "./event-log.ts";
import type { SnapshotFolder } from "./snapshot.ts";
import type { Lease, Store } from "./store.ts";

export interface RetentionOptions {
  readonly log: EventLog;
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
  #isTrimming = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Looks whether it is time; the work goes on by itself. */
  check(): void {
    const { log, retainEvents, onError } = this.#options;
    if (retainEvents === undefined || this.#isTrimming) return;
    const kept = log.head - log.oldest + 1;
    // Trimmed in steps: each costs a fold and a transaction.
    if (kept <= retainEvents + (retainEvents >> 2)) return;
    this.#isTrimming = true;
    const trimming = this.#trim(log.head - retainEvents).finally(() => {
      this.#isTrimming = false;
    });
    detach(trimming, onError);
  }

  async #trim(upTo: number): Promise<void> {
    const { log, store, lease, snapshots } = this.#options;
    const state = await snapshots.at(upTo);
    await store.trim(log.sessionId, lease.generation, { seq: state.seq, state });
    log.markTrimmed(state.seq);
  }
}

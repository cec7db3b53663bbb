import type { Attachment, EventDraft, SessionEvent } from "@turnwire/protocol";
import { type Clock, detach } from "@turnwire/base";
import { boundEvent } from "./bound-event.ts";
import { faultPoint } from "./fault-point.ts";
import type { InboxAnswer } from "./inbox.ts";
import { PublishedLog } from "./published-log.ts";
import type { OwnedLog } from "./readable-log.ts";
import { splitDraft } from "./split-draft.ts";
import type { RecordPatch } from "./session-record.ts";
import type { Lease, NewAttachment, Store, StoredEvent, StoredInput } from "./store.ts";
import { type DamagedRange, StoreError } from "./store-error.ts";

export interface Appended {
  readonly events: readonly SessionEvent[];
  /** Settles when the store has the events; only then has anybody seen them. */
  readonly committed: Promise<void>;
}

/** A draft for the log; one copied from another log has its time and its attachments already. */
export type AppendedDraft = EventDraft & { ts?: string; attachments?: readonly Attachment[] };

/** What goes into the store in the same transaction as events. */
export interface AppendExtras {
  readonly inputs?: readonly StoredInput[];
  readonly patch?: RecordPatch;
  /** Entries of the session's inbox that this answers. */
  readonly answers?: readonly InboxAnswer[];
}

export interface EventLogOptions {
  readonly store: Store;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly ringSize: number;
  /** Events that cannot be read; the head is before the first of them. */
  readonly damage?: DamagedRange;
}

/**
 * One session's ordered log on the host that appends to it. Promises: seq is gapless; an event is in the
 * store before any reader gets it; after a failed commit or the end nothing more is accepted.
 */
export class EventLog extends PublishedLog implements OwnedLog {
  readonly #store: Store;
  readonly #generation: number;
  readonly #clock: Clock;
  #assigned: number;
  #uncommittedBytes = 0;
  #failure: Error | undefined;
  #lastCommit: Promise<void> = Promise.resolve();

  constructor({ store, lease, clock, ringSize, damage }: EventLogOptions) {
    const { record, generation } = lease;
    super({ store, record, head: record.head, ringSize, damage });
    this.#store = store;
    this.#generation = generation;
    this.#clock = clock;
    this.#assigned = record.head;
  }

  /** Bytes accepted but not yet in the store: what a fast producer waits on. */
  get uncommittedBytes(): number {
    return this.#uncommittedBytes;
  }

  get settled(): Promise<void> {
    return this.#lastCommit;
  }

  /**
   * Gives the drafts their places at once and commits them, with what `alongside` makes of them in
   * the same transaction. After a failed commit it takes nothing more: `committed` rejects.
   */
  append(
    drafts: readonly AppendedDraft[],
    alongside: (events: readonly SessionEvent[]) => AppendExtras = () => ({}),
  ): Appended {
    if (this.#failure) return refusedAppend(this.#failure);
    if (this.endReason) return refusedAppend(new StoreError("unavailable", "the log has ended"));
    const ts = new Date(this.#clock.now()).toISOString();
    const events: SessionEvent[] = [];
    const stored: StoredEvent[] = [];
    const attachments: NewAttachment[] = [];
    let bytes = 0;
    for (const draft of drafts) {
      for (const piece of splitDraft(draft)) {
        const bound = boundEvent({ seq: ++this.#assigned, ts, ...piece });
        const { event, json } = bound;
        events.push(event);
        stored.push({ seq: event.seq, type: event.type, json });
        bytes += json.length;
        for (const attachment of bound.attachments) {
          attachments.push(attachment);
          bytes += attachment.content?.byteLength ?? 0;
        }
      }
    }
    this.#uncommittedBytes += bytes;
    const writing = this.#store.append({
      sessionId: this.sessionId,
      generation: this.#generation,
      events: stored,
      ...(attachments.length > 0 && { attachments }),
      ...alongside(events),
    });
    const committed = this.#publishAfter(this.#lastCommit, writing, stored).finally(() => {
      this.#uncommittedBytes -= bytes;
    });
    this.#lastCommit = committed.catch(() => undefined);
    return { events, committed };
  }

  async #publishAfter(
    earlier: Promise<void>,
    writing: Promise<void>,
    stored: readonly StoredEvent[],
  ): Promise<void> {
    const [, outcome] = await Promise.allSettled([earlier, writing]);
    if (outcome.status === "rejected") {
      this.#failure ??=
        outcome.reason instanceof Error ? outcome.reason : new Error("append failed");
      throw this.#failure;
    }
    // An earlier commit failed: what comes after it would be a gap for readers.
    if (this.#failure) throw this.#failure;
    faultPoint("before_publish");
    this.publish(stored);
  }
}

/** The answer to an append that is not taken; callers that do not look at it need not handle it. */
export function refusedAppend(reason: Error): Appended {
  const committed = Promise.reject<void>(reason);
  detach(committed, () => undefined);
  return { events: [], committed };
}

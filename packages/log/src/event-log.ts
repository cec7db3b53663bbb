import {
  type Attachment,
  type EventDraft,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { type Clock, detach } from "@turnwire/base";
import { boundEvent } from "./bound-event.ts";
import { bytesOf, eventsWithin } from "./event-page.ts";
import { faultPoint } from "./fault-point.ts";
import { readPace } from "./read-pace.ts";
import type { CursorVerdict, LogEnd, LogListener, OwnedLog } from "./readable-log.ts";
import { splitDraft } from "./split-draft.ts";
import {
  type ByteRange,
  type DamagedRange,
  type Lease,
  type NewAttachment,
  type RecordPatch,
  type Store,
  type StoredAttachment,
  type StoredEvent,
  type StoredInput,
  StoreError,
} from "./store.ts";

/** What one read hands out: a few milliseconds of work for whoever parses and folds it. */
const READ_BYTES = 256 * 1024;

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
}

export interface EventLogOptions {
  readonly store: Store;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly ringSize: number;
  /** Events that cannot be read; the head is before the first of them. */
  readonly damage?: DamagedRange;
}

/** The newest events stay in memory up to this size, however many they are. */
const maxRingBytes = 8 * 1024 * 1024;

/**
 * One session's ordered log. Promises: seq is gapless; an event is in the store before any listener
 * sees it; listeners see every event once and in order; after a failed commit or the end nothing more
 * is accepted; whoever subscribes after the end learns of it at once.
 */
export class EventLog implements OwnedLog {
  readonly sessionId: string;
  readonly epoch: string;
  readonly #store: Store;
  readonly #generation: number;
  readonly #clock: Clock;
  readonly #ringSize: number;
  #damage: DamagedRange | undefined;
  readonly #listeners = new Set<LogListener>();
  #ring: StoredEvent[] = [];
  #ringLength = 0;
  #head: number;
  #assigned: number;
  #trimmed: number;
  #uncommittedBytes = 0;
  #failure: Error | undefined;
  #end: LogEnd | undefined;
  #lastCommit: Promise<void> = Promise.resolve();

  constructor(options: EventLogOptions) {
    const { record, generation } = options.lease;
    this.sessionId = record.sessionId;
    this.epoch = record.epoch;
    this.#store = options.store;
    this.#generation = generation;
    this.#clock = options.clock;
    this.#ringSize = options.ringSize;
    this.#damage = options.damage;
    this.#head = record.head;
    this.#assigned = record.head;
    this.#trimmed = record.trimmed;
  }

  get head(): number {
    return this.#head;
  }

  get oldest(): number {
    return this.#trimmed + 1;
  }

  /** Bytes accepted but not yet in the store: what a fast producer waits on. */
  get uncommittedBytes(): number {
    return this.#uncommittedBytes;
  }

  get settled(): Promise<void> {
    return this.#lastCommit;
  }

  verdict(after: number, epoch?: string): CursorVerdict {
    const isKnown = epoch === undefined || epoch === this.epoch;
    const range = this.#damage;
    if (isKnown && range && this.#isStoppedBy(range, after)) return { type: "damaged", range };
    if (isKnown && after >= this.#trimmed && after <= this.#head) return { type: "resumed" };
    return { type: "gap", oldest: this.oldest, head: this.#head, epoch: this.epoch };
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
    if (this.#end) return refusedAppend(new StoreError("unavailable", "the log has ended"));
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

  recent(after: number, limit: number, maxBytes = Infinity): readonly StoredEvent[] | undefined {
    const first = this.#ring[0]?.seq ?? this.#head + 1;
    if (after + 1 < first) return undefined;
    return eventsWithin(this.#ring, { from: after + 1 - first, limit, maxBytes });
  }

  async read(after: number, limit: number, maxBytes = READ_BYTES): Promise<readonly StoredEvent[]> {
    const read = () =>
      this.recent(after, limit, maxBytes) ?? this.#readStore(after, limit, maxBytes);
    return readPace.read(maxBytes, read, bytesOf);
  }

  async #readStore(
    after: number,
    limit: number,
    maxBytes: number,
  ): Promise<readonly StoredEvent[]> {
    const head = this.#head;
    const events = await this.#store
      .read(this.sessionId, after, limit, maxBytes)
      .catch((error: unknown) => this.#rememberDamage(error));
    // The store may already hold events that are not published yet: a reader must not overtake them.
    return events.filter((event) => event.seq <= head);
  }

  /** A reader that comes back learns why it cannot continue, instead of trying again and again. */
  #rememberDamage(error: unknown): never {
    if (error instanceof StoreError && error.code === "damaged") this.#damage ??= error.range;
    throw error;
  }

  /** A reader that is past the damage continues where the log itself does. */
  #isStoppedBy({ first, last }: DamagedRange, after: number): boolean {
    return after >= first - 1 && (after < last || this.#head < first);
  }

  async readBase(): Promise<SessionState> {
    const base = await this.#store.readBase(this.sessionId);
    return base?.state ?? initialState();
  }

  findAttachment(digest: string): Promise<StoredAttachment | undefined> {
    return this.#store.findAttachment(this.sessionId, digest);
  }

  readAttachment(digest: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#store.readAttachment(this.sessionId, digest, range);
  }

  subscribe(listener: LogListener): () => void {
    if (this.#end) {
      listener.onEnd(this.#end);
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  markTrimmed(seq: number): void {
    this.#trimmed = Math.max(this.#trimmed, seq);
    this.#ring = this.#ring.filter((event) => event.seq > seq);
    this.#ringLength = this.#ring.reduce((sum, event) => sum + event.json.length, 0);
  }

  end(reason: LogEnd): void {
    if (this.#end) return;
    this.#end = reason;
    for (const listener of this.#listeners) listener.onEnd(reason);
    this.#listeners.clear();
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
    this.#head = stored.at(-1)?.seq ?? this.#head;
    this.#remember(stored);
    for (const listener of this.#listeners) listener.onEvents(stored);
  }

  #remember(stored: readonly StoredEvent[]): void {
    for (const event of stored) {
      this.#ring.push(event);
      this.#ringLength += event.json.length;
    }
    // Cut in steps, so that a full ring does not shift on every event.
    const slack = Math.max(16, this.#ringSize >> 2);
    if (this.#ring.length <= this.#ringSize + slack && this.#ringLength <= maxRingBytes) return;
    let dropped = Math.max(0, this.#ring.length - this.#ringSize);
    let length = this.#ringLength;
    for (
      let index = 0;
      index < this.#ring.length && (index < dropped || length > maxRingBytes);
      index++
    ) {
      length -= this.#ring[index]?.json.length ?? 0;
      dropped = Math.max(dropped, index + 1);
    }
    this.#ring = this.#ring.slice(dropped);
    this.#ringLength = length;
  }
}

/** The answer to an append that is not taken; callers that do not look at it need not handle it. */
export function refusedAppend(reason: Error): Appended {
  const committed = Promise.reject<void>(reason);
  detach(committed, () => undefined);
  return { events: [], committed };
}

import { initialState, type SessionState } from "@turnwire/protocol";
import { cursorVerdict } from "./cursor-verdict.ts";
import { bytesOf } from "./event-page.ts";
import { EventRing } from "./event-ring.ts";
import { readPace } from "./read-pace.ts";
import type { CursorVerdict, LogEnd, LogListener, ReadableLog } from "./readable-log.ts";
import type { SessionRecord } from "./session-record.ts";
import type { ByteRange, Store, StoredAttachment, StoredEvent } from "./store.ts";
import { type DamagedRange, StoreError } from "./store-error.ts";

/** What one read hands out: a few milliseconds of work for whoever parses and folds it. */
export const READ_BYTES = 256 * 1024;

export interface PublishedLogOptions {
  readonly store: Pick<Store, "read" | "readBase" | "findAttachment" | "readAttachment">;
  readonly record: Pick<SessionRecord, "sessionId" | "epoch" | "trimmed">;
  /** The newest seq that counts as published from the beginning. */
  readonly head: number;
  readonly ringSize: number;
  /** Events that cannot be read. */
  readonly damage?: DamagedRange | undefined;
}

/**
 * What readers have of one session's log, whoever writes it: the events published so far, from memory
 * or the store, and those who listen for more. Promises: no reader gets an event before it is published;
 * listeners see every event once and in order; whoever subscribes after the end learns of it at once.
 */
export abstract class PublishedLog implements ReadableLog {
  readonly sessionId: string;
  readonly epoch: string;
  abstract readonly settled: Promise<void>;
  readonly #store: PublishedLogOptions["store"];
  readonly #ring: EventRing;
  readonly #listeners = new Set<LogListener>();
  #head: number;
  #trimmed: number;
  #damage: DamagedRange | undefined;
  #end: LogEnd | undefined;

  constructor({ store, record, head, ringSize, damage }: PublishedLogOptions) {
    this.sessionId = record.sessionId;
    this.epoch = record.epoch;
    this.#store = store;
    this.#ring = new EventRing(ringSize);
    this.#head = head;
    this.#trimmed = record.trimmed;
    this.#damage = damage;
  }

  get head(): number {
    return this.#head;
  }

  get oldest(): number {
    return this.#trimmed + 1;
  }

  /** Why no more events will come. */
  get endReason(): LogEnd | undefined {
    return this.#end;
  }

  verdict(after: number, epoch?: string): CursorVerdict {
    const extent = { epoch: this.epoch, trimmed: this.#trimmed, head: this.#head };
    return cursorVerdict({ ...extent, damage: this.#damage }, after, epoch);
  }

  recent(after: number, limit: number, maxBytes = Infinity): readonly StoredEvent[] | undefined {
    const first = this.#ring.first ?? this.#head + 1;
    return after + 1 < first ? undefined : this.#ring.from(after + 1, { limit, maxBytes });
  }

  async read(after: number, limit: number, maxBytes = READ_BYTES): Promise<readonly StoredEvent[]> {
    const read = () =>
      this.recent(after, limit, maxBytes) ?? this.#readStored(after, limit, maxBytes);
    return readPace.read(maxBytes, read, bytesOf);
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

  /** Readers behind this seq get a gap from now on. */
  markTrimmed(seq: number): void {
    this.#trimmed = Math.max(this.#trimmed, seq);
    this.#ring.dropUpTo(seq);
  }

  /** Final: the first reason stands. */
  end(reason: LogEnd): void {
    if (this.#end) return;
    this.#end = reason;
    for (const listener of this.#listeners) listener.onEnd(reason);
    this.#listeners.clear();
  }

  /** The next events, which the store has. */
  protected publish(events: readonly StoredEvent[]): void {
    this.#head = events.at(-1)?.seq ?? this.#head;
    this.#ring.push(events);
    for (const listener of this.#listeners) listener.onEvents(events);
  }

  async #readStored(
    after: number,
    limit: number,
    maxBytes: number,
  ): Promise<readonly StoredEvent[]> {
    const head = this.#head;
    const events = await this.#store
      .read(this.sessionId, after, limit, maxBytes)
      .catch((error: unknown) => this.#rememberDamage(error));
    const [first] = events;
    // Retention has removed what comes before, here or on another host.
    if (first && first.seq > after + 1) this.markTrimmed(Math.min(this.#head, first.seq - 1));
    // The store may have events that are not published yet: a reader must not overtake them.
    return events.filter((event) => event.seq <= head);
  }

  /** A reader that comes back learns why it cannot continue, instead of trying again and again. */
  #rememberDamage(error: unknown): never {
    if (error instanceof StoreError && error.code === "damaged") this.#damage ??= error.range;
    throw error;
  }
}

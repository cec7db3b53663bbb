import type { SessionState } from "@turnwire/protocol";
import type { ByteRange, StoredAttachment, StoredEvent } from "./store.ts";
import type { DamagedRange } from "./store-error.ts";

/** Whether a reader can continue where it stopped; known before any data is sent. */
export type CursorVerdict =
  | { readonly type: "resumed" }
  | {
      readonly type: "gap";
      readonly oldest: number;
      readonly head: number;
      readonly epoch: string;
    }
  | { readonly type: "damaged"; readonly range: DamagedRange };

/** closed: `session_closed` was the last event; released: this process let go of the log, come back later. */
export type LogEnd = "closed" | "released";

export interface LogListener {
  /** Every committed event, once, in order, in the batches they were committed in. */
  onEvents(events: readonly StoredEvent[]): void;
  onEnd(reason: LogEnd): void;
}

/** One session's log for everyone who reads it: nothing here changes what it holds. */
export interface ReadableLog {
  readonly sessionId: string;
  readonly epoch: string;
  /** The newest committed seq. */
  readonly head: number;
  /** The oldest seq that can still be read. */
  readonly oldest: number;
  /** Settles with the newest append, whether it succeeded or failed. */
  readonly settled: Promise<void>;
  verdict(after: number, epoch?: string): CursorVerdict;
  /** From memory, synchronously; undefined when the ring no longer reaches back that far. */
  recent(after: number, limit: number, maxBytes?: number): readonly StoredEvent[] | undefined;
  /**
   * Committed events after a seq, from memory or the store alike, at least one while there are any:
   * an empty page is the end, a short one is not. All logs together hand out only so much per tick.
   */
  read(after: number, limit: number, maxBytes?: number): Promise<readonly StoredEvent[]>;
  /** The state before the oldest event that can be read. */
  readBase(): Promise<SessionState>;
  /** A payload that an event of this log names; undefined when none does. */
  findAttachment(digest: string): Promise<StoredAttachment | undefined>;
  readAttachment(digest: string, range?: ByteRange): Promise<Uint8Array>;
  /** The returned function ends the subscription. After the end of the log the listener learns of it at once. */
  subscribe(listener: LogListener): () => void;
}

/** A log for the session that holds it, which trims and ends it; only a recorder appends to it. */
export interface OwnedLog extends ReadableLog {
  /** Readers behind this seq get a gap from now on. */
  markTrimmed(seq: number): void;
  /** Final: the first reason stands. */
  end(reason: LogEnd): void;
}

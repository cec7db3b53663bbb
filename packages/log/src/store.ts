import type { SessionState } from "@turnwire/protocol";
import type { HostRegistry } from "./host-registry.ts";
import type { Inbox, InboxAnswer } from "./inbox.ts";
import type { SearchPage, SearchQuery } from "./search/search.ts";
import type { RecordPatch, SessionFilter, SessionRecord } from "./session-record.ts";
import type { SharedValues } from "./shared-values.ts";
import type { StoreHints } from "./store-hint.ts";
import type { Transcripts } from "./transcripts.ts";

/** An event as the log keeps it: the bytes never change, so they are kept as they were first written. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  /** The whole envelope as JSON text, without line breaks. */
  readonly json: string;
}

/** Ties a sender's own message id to the event it became, so that a retry finds it. */
export interface StoredInput {
  readonly clientMessageId: string;
  readonly seq: number;
  /** A digest of what was sent: the same id with other words is a conflict. */
  readonly digest: string;
}

/** A payload that an event names and that is stored beside the log. */
export interface StoredAttachment {
  /** `sha256-` and 64 hex digits: the same bytes are kept once, whichever sessions name them. */
  readonly digest: string;
  readonly size: number;
  /** As the first event of the session that named it gave it. */
  readonly mediaType: string;
}

export interface NewAttachment extends StoredAttachment {
  /** Without it, another session of the store must have it already: a copy shares what its source has. */
  readonly content?: Uint8Array;
}

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface AppendBatch {
  readonly sessionId: string;
  readonly generation: number;
  /** Contiguous, and the first follows the store's head; anything else is refused. May be empty. */
  readonly events: readonly StoredEvent[];
  /** An id that the session already has refuses the whole batch. */
  readonly inputs?: readonly StoredInput[];
  readonly patch?: RecordPatch;
  /** What the events name. It lives as long as the session, also when retention removes those events. */
  readonly attachments?: readonly NewAttachment[];
  /** Entries of the session's inbox that this answers; one that does not wait refuses the whole batch. */
  readonly answers?: readonly InboxAnswer[];
}

/** The right to append to one session, until it is released, its holder dies, or a newer generation exists. */
export interface Lease {
  readonly generation: number;
  readonly record: SessionRecord;
}

export interface LeaseRequest {
  readonly sessionId: string;
  /** One per server process and boot. */
  readonly holder: string;
  /** A holder that gets the lease lives for at least so long from then on. */
  readonly ttlMs: number;
}

/** The state after the events that retention has removed. */
export interface BaseState {
  readonly seq: number;
  readonly state: SessionState;
}

/** Whether a store takes writes. */
export interface StoreHealth {
  readonly isWritable: boolean;
  /** Why it does not. Names no path: anybody may ask for a server's health. */
  readonly reason?: string;
  /** Writes that failed since the store was opened; one that was refused, such as for a lost lease, did not fail. */
  readonly failedWrites: number;
  /** How often what writes had to be started again. */
  readonly restarts: number;
}

/**
 * Keeps logs. What `append` resolved for survives a crash of the process.
 * Appends to one session are applied in the order of the calls. Rejects with a StoreError.
 *
 * Whatever names a generation is refused as `lease_lost` unless that is the session's newest one,
 * was not released, and its holder lives.
 */
export interface Store extends HostRegistry, Inbox, StoreHints {
  readonly name: string;
  /** Whether other hosts may have it open at the same time. */
  readonly isShared: boolean;
  readonly values: SharedValues;
  /** A store that has none leaves the agents' own conversations on the machine where they were held. */
  readonly transcripts?: Transcripts;
  /**
   * The session starts empty, whatever `head` and `trimmed` say. What is left of a deleted one with its id is
   * purged, and no lease on an earlier one with its id is good for it.
   */
  createSession(record: SessionRecord, holder: string, ttlMs: number): Promise<Lease>;
  /**
   * Undefined while another living holder has it, or when there is no such session; the same holder
   * gets a newer generation. Rejects with
   * `damaged` where events before the newest one are missing: nothing may be added to such a log.
   */
  acquireLease(request: LeaseRequest): Promise<Lease | undefined>;
  releaseLease(sessionId: string, generation: number): Promise<void>;
  append(batch: AppendBatch): Promise<void>;
  /**
   * Events with seq > after, in order, at most `limit`, and of those as many as fit into `maxBytes`
   * of JSON text but at least one: a page shorter than `limit` is not the end, an empty one is.
   * Where retention has removed the event after + 1, the page starts further on: compare the first seq.
   * A page ends before an event that is missing or not what was written; where that is the first one,
   * it rejects with `damaged`.
   */
  read(sessionId: string, after: number, limit: number, maxBytes?: number): Promise<StoredEvent[]>;
  /** Undefined when no event of this session names it, whatever other sessions do. */
  findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined>;
  /** The bytes of an attachment of this session, all of them or a range within its size. */
  readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array>;
  findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined>;
  getSession(sessionId: string): Promise<SessionRecord | undefined>;
  listSessions(filter: SessionFilter): Promise<SessionRecord[]>;
  /**
   * Removes a session that no living holder has, whatever state it is in, without reading any of it.
   * Rejects with lease_lost while one has it.
   */
  removeSession(sessionId: string): Promise<void>;
  /**
   * Removes the session and its lease. Only `read`, `readHeads` and `findInboxAnswer` still know it, and
   * the generation that deleted it can still answer its inbox, until it is purged: hosts that follow
   * it have yet to read its last events.
   */
  deleteSession(sessionId: string, generation: number): Promise<void>;
  /** Removes what is left of sessions that were deleted so long ago, and answers of inboxes that are as old. */
  purgeDeleted(olderThanMs: number): Promise<void>;
  /**
   * Removes events up to and with `base.seq`, leaving `base` in their place. Inputs stay known.
   * A base before an earlier one or beyond the head is not_contiguous.
   */
  trim(sessionId: string, generation: number, base: BaseState): Promise<void>;
  readBase(sessionId: string): Promise<BaseState | undefined>;
  /** Finds what people and agents said, rolled back turns left out; a store that has no such method cannot. */
  search?(query: SearchQuery): Promise<SearchPage>;
  /** Tries a write unless one was made within about a second; never rejects. */
  health(): Promise<StoreHealth>;
  /** Waits for what was accepted, then lets go of all files and threads. */
  close(): Promise<void>;
}

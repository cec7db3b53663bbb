import type {
  CreateSession,
  SessionActivity,
  SessionState,
  SessionStatus,
  SystemPrompt,
  Worktree,
} from "@turnwire/protocol";
import type { SearchPage, SearchQuery } from "./search/search.ts";

/** An event as the log keeps it: the bytes never change, so they are kept as they were first written. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  /** The whole envelope as JSON text, without line breaks. */
  readonly json: string;
}

/** What the store knows of a session beside its events. */
export interface SessionRecord {
  readonly sessionId: string;
  /** The principal that owns the session. */
  readonly owner: string;
  /** Changes when events were really lost. */
  readonly epoch: string;
  readonly runtime: string;
  /** How the session was created; a run is started from it. */
  readonly options: CreateSession;
  readonly status: SessionStatus;
  readonly activity: SessionActivity;
  readonly title?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly permissionMode?: string;
  readonly policyMode?: string;
  /** Instructions that replaced those of `options`. */
  readonly systemPrompt?: SystemPrompt;
  readonly cwd: string;
  /** The git worktree that was made for it. */
  readonly worktree?: Worktree;
  readonly providerSessionId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The newest event's seq; 0 before the first. */
  readonly head: number;
  /** Events up to and with this seq have been removed by retention. */
  readonly trimmed: number;
  /** Its first events are still being copied: no session yet, and a leftover when no process does it. */
  readonly isPartial?: boolean;
  /** Some of this could not be read from the store: what is unknown has a value that stands for it. */
  readonly isDamaged?: boolean;
}

/** What an append may change of the record, in the same transaction; null takes a value away. */
export interface RecordPatch {
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
  readonly title?: string | null;
  readonly model?: string | null;
  readonly effort?: string | null;
  readonly permissionMode?: string | null;
  readonly policyMode?: string | null;
  readonly providerSessionId?: string | null;
  readonly systemPrompt?: SystemPrompt;
  readonly updatedAt?: string;
  readonly isPartial?: null;
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
}

/** The right to append to one session, until it is released or a newer generation exists. */
export interface Lease {
  readonly generation: number;
  readonly record: SessionRecord;
}

export interface LeaseRequest {
  readonly sessionId: string;
  /** One per server process and boot. */
  readonly holder: string;
  readonly ttlMs: number;
}

export interface SessionFilter {
  readonly owner?: string;
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
  /** Only those that are still being made; none of them when it is not set. */
  readonly isPartial?: true;
  readonly limit: number;
  /** Only what comes after this place in the order newest update first, then highest id first. */
  readonly after?: ListPosition;
}

/** A place in the list of sessions; it stays where it is when the session that it came from moves. */
export type ListPosition = Pick<SessionRecord, "updatedAt" | "sessionId">;

/** The state that stands for the events retention has removed. */
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
 */
export interface Store {
  readonly name: string;
  /** The session starts empty, whatever `head` and `trimmed` say. */
  createSession(record: SessionRecord, holder: string, ttlMs: number): Promise<Lease>;
  /**
   * Undefined while another living holder has it, or when there is no such session. Rejects with
   * `damaged` where events before the newest one are missing: nothing may be added to such a log.
   */
  acquireLease(request: LeaseRequest): Promise<Lease | undefined>;
  /** False when the lease is lost. */
  renewLease(sessionId: string, generation: number, ttlMs: number): Promise<boolean>;
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
   * Removes a session that has no lease, whatever state it is in, without reading any of it.
   * Rejects with lease_lost while it has one.
   */
  removeSession(sessionId: string): Promise<void>;
  /** Removes the session, its events and its lease. */
  deleteSession(sessionId: string, generation: number): Promise<void>;
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

export type StoreErrorCode =
  | "session_exists"
  | "session_unknown"
  | "lease_lost"
  | "not_contiguous"
  | "input_exists"
  | "attachment_unknown"
  | "locked"
  | "schema_too_new"
  | "corrupt"
  | "damaged"
  | "unavailable";

/** Events that are missing or not what was written, from the first seq to the last. */
export interface DamagedRange {
  readonly first: number;
  readonly last: number;
}

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** Of a session's log, with the code `damaged`; undefined when its record is damaged. */
  readonly range?: DamagedRange;
  constructor(
    code: StoreErrorCode,
    message: string,
    options?: { cause?: unknown; range?: DamagedRange },
  ) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
    if (options?.range) this.range = options.range;
  }
}

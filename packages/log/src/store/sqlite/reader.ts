import { initialState, type SessionState } from "@turnwire/protocol";
import type { SessionFilter, SessionRecord } from "../../session-record.ts";
import type { BaseState, StoredEvent, StoredInput } from "../../store.ts";
import type { DamagedRange } from "../../store-error.ts";
import { eventsWithin } from "../../event-page.ts";
import { logDamaged, sessionUnknown } from "../refusal.ts";
import { AttachmentReader, type FoundAttachment } from "./attachment-table.ts";
import type { Database, SqlRow, SqlValue, Statement } from "./driver.ts";
import { eventsFromRow, ROW_EVENTS } from "./event-row.ts";
import { InboxReader } from "./inbox-table.ts";
import { recordFromRow, selectRecord } from "./record-row.ts";
import { SearchReader } from "./search-reader.ts";
import { TranscriptReader } from "./transcript-table.ts";

/** Rows of which only the seqs are read in one go. */
const HOLE_ROWS = 1000;

/** How much one read takes. */
export interface ReadLimits {
  readonly events: number;
  readonly bytes: number;
  /** An event larger than `bytes` is read too when it is the next one. */
  readonly atLeastOne: boolean;
}

export interface ReadPage {
  readonly events: readonly StoredEvent[];
  readonly head: number;
}

/** What `eventsFromRow` needs. */
type EventColumns = readonly [number, number, string, string, number];

/**
 * Reads through a connection of its own, on the caller's thread: SQLite in WAL mode never makes a
 * reader wait for the writer, and a page of a few hundred rows costs less than sending it between threads.
 */
export class Reader {
  /** Finds what was said. */
  readonly search: SearchReader;
  readonly inbox: InboxReader;
  readonly transcripts: TranscriptReader;
  readonly #database: Database;
  readonly #position;
  readonly #events;
  readonly #size;
  readonly #sizes;
  readonly #seqs;
  readonly #record;
  readonly #input;
  readonly #base;
  readonly #attachments: AttachmentReader;
  /** By their SQL: one for each combination of filters. */
  readonly #lists = new Map<string, Statement>();

  constructor(database: Database) {
    // Not opened read-only: libsql ignores that option.
    database.exec("PRAGMA query_only = 1; PRAGMA busy_timeout = 100");
    this.#database = database;
    this.#position = database.prepare(
      `SELECT session_key, trimmed, head FROM sessions WHERE session_id = ?1
       UNION ALL SELECT session_key, trimmed, head FROM deleted_sessions WHERE session_id = ?1`,
    );
    this.#events = database.prepare(
      `SELECT seq, count, type, json, crc FROM events
       WHERE session_key = ?1 AND seq > ?2 AND seq < ?2 + ?3 + ${ROW_EVENTS} ORDER BY seq LIMIT ?4`,
    );
    // Even to pass over a row SQLite reads all of it, though five times faster than it is read here.
    this.#size = database.prepare(
      `SELECT total(size), max(seq), count(*) FROM (SELECT seq, octet_length(json) AS size
       FROM events WHERE session_key = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3)`,
    );
    this.#sizes = database.prepare(
      `SELECT octet_length(json) FROM events
       WHERE session_key = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
    );
    this.#seqs = database.prepare(
      "SELECT seq, count FROM events WHERE session_key = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#record = database.prepare(`${selectRecord} WHERE session_id = ?`);
    this.#input = database.prepare(
      `SELECT seq, digest FROM inputs JOIN sessions USING (session_key)
       WHERE session_id = ? AND client_message_id = ?`,
    );
    this.#base = database.prepare(
      `SELECT seq, state FROM bases JOIN sessions USING (session_key) WHERE session_id = ?`,
    );
    this.#attachments = new AttachmentReader(database);
    this.search = new SearchReader(database);
    this.inbox = new InboxReader(database);
    this.transcripts = new TranscriptReader(database);
  }

  findAttachment(sessionId: string, digest: string): FoundAttachment | undefined {
    return this.#attachments.find(sessionId, digest);
  }

  readChunk(blobKey: number, position: number): Uint8Array | undefined {
    return this.#attachments.chunk(blobKey, position);
  }

  /** The events after a seq that fit the limits, and how far the log goes. */
  readEvents(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    // One snapshot: retention must not come between the position and the events.
    this.#database.exec("BEGIN");
    try {
      return this.#readEvents(sessionId, after, limits);
    } finally {
      // SQLite may have ended it by itself, as on a damaged page.
      if (this.#database.isInTransaction()) this.#database.exec("COMMIT");
    }
  }

  /**
   * Looks for events that are missing before others, a stretch at a time so that no reader waits long:
   * each call continues from the last.
   */
  *findHole(sessionId: string): Generator<undefined, DamagedRange | undefined> {
    let last = -1;
    let found = HOLE_ROWS;
    while (found === HOLE_ROWS) {
      const [position] = this.#position.all(sessionId);
      if (!position) return undefined;
      const [key, trimmed] = position.map(Number) as [number, number];
      // Retention may run between two stretches.
      last = Math.max(last, trimmed);
      const stretch = this.#seqs.all(key, last, HOLE_ROWS);
      for (const row of stretch) {
        const [seq, count] = row as readonly [number, number];
        // The first row may begin with trimmed events.
        if (seq - count > last) return { first: last + 1, last: seq - count };
        last = seq;
      }
      found = stretch.length;
      yield;
    }
    return undefined;
  }

  findInput(sessionId: string, clientMessageId: string): StoredInput | undefined {
    const [row] = this.#input.all(sessionId, JSON.stringify(clientMessageId));
    return row && { clientMessageId, seq: Number(row[0]), digest: String(row[1]) };
  }

  getSession(sessionId: string): SessionRecord | undefined {
    const [row] = this.#record.all(sessionId);
    return row && recordFromRow(row);
  }

  /** Of deleted sessions too, while their events can be read. */
  readHeads(sessionIds: readonly string[]): ReadonlyMap<string, number> {
    const heads = new Map<string, number>();
    for (const sessionId of sessionIds) {
      const head = this.#position.all(sessionId)[0]?.[2];
      if (head !== undefined) heads.set(sessionId, Number(head));
    }
    return heads;
  }

  listSessions(filter: SessionFilter): SessionRecord[] {
    const { owner, status, activity, isPartial = false, after, limit } = filter;
    const terms: [string, ...SqlValue[]][] = [
      // Damaged facts are listed too: they must not hide the other sessions.
      [
        `CASE WHEN json_valid(facts) THEN json_extract(facts, '$.isPartial') END IS ${isPartial ? "NOT " : ""}NULL`,
      ],
    ];
    if (owner !== undefined) terms.push(["owner = ?", owner]);
    if (status !== undefined) terms.push(["status = ?", status]);
    if (activity !== undefined) terms.push(["activity = ?", activity]);
    if (after !== undefined) {
      terms.push(["(updated_at, session_id) < (?, ?)", after.updatedAt, after.sessionId]);
    }
    const where = terms.length > 0 ? `WHERE ${terms.map(([sql]) => sql).join(" AND ")}` : "";
    return this.#list(`${selectRecord} ${where} ORDER BY updated_at DESC, session_id DESC LIMIT ?`)
      .all(...terms.flatMap(([, ...values]) => values), limit)
      .map(recordFromRow);
  }

  readBase(sessionId: string): BaseState | undefined {
    const [row] = this.#base.all(sessionId);
    if (!row) return undefined;
    const seq = Number(row[0]);
    try {
      const stored: SessionState = JSON.parse(String(row[1]));
      // What an earlier version stored lacks the fields that are newer.
      return { seq, state: { ...initialState(), ...stored } };
    } catch (error) {
      throw logDamaged(sessionId, { first: 1, last: seq }, error);
    }
  }

  close(): void {
    this.#database.close();
  }

  #readEvents(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    const [position] = this.#position.all(sessionId);
    if (!position) throw sessionUnknown(sessionId);
    const [key, trimmed, head] = position.map(Number) as [number, number, number];
    // Trimmed events may still be there, waiting to be purged.
    let last = Math.max(after, trimmed);
    const rows = this.#rowsWithin(key, last, limits);
    const events: StoredEvent[] = [];
    let range: DamagedRange | undefined;
    for (const row of this.#events.all(key, last, limits.events, rows)) {
      if (events.length >= limits.events) break;
      const unpacked = unpack(row, last);
      if ("first" in unpacked) {
        range = unpacked;
        break;
      }
      events.push(...unpacked.events);
      last = unpacked.seq;
    }
    const isFull = events.length >= limits.events || rows < limits.events;
    const isMissing = !isFull || (events.length === 0 && limits.atLeastOne);
    if (isMissing && last < head) range ??= { first: last + 1, last: head };
    // What is whole before the damage is read; the next read starts at it.
    if (range && events.length === 0) throw logDamaged(sessionId, range);
    const fitting = { limit: limits.events, maxBytes: limits.bytes };
    return { events: eventsWithin(events, fitting), head };
  }

  /**
   * How many rows to read, `limits.events` when all fit. Looks ahead in steps: no further than about
   * twice what fits, since looking costs time for every byte.
   */
  #rowsWithin(key: number, after: number, limits: ReadLimits): number {
    let rows = 0;
    let bytes = 0;
    let last = after;
    let step = 2;
    while (rows < limits.events) {
      const count = Math.min(step, limits.events - rows);
      const [size = 0, end = last, found = 0] = (this.#size.all(key, last, count)[0] ?? []).map(
        Number,
      );
      if (bytes + size > limits.bytes) {
        const atLeastOne = limits.atLeastOne && rows === 0;
        const left = { events: count, bytes: limits.bytes - bytes, atLeastOne };
        return rows + this.#rowsFitting(key, last, left);
      }
      if (found < count) break;
      rows += found;
      bytes += size;
      last = end;
      const expected = Math.ceil((limits.bytes - bytes) / Math.max(1, bytes / rows));
      step = Math.min(Math.max(1, expected), 2 * rows);
    }
    return limits.events;
  }

  #rowsFitting(key: number, after: number, limits: ReadLimits): number {
    let rows = 0;
    let bytes = 0;
    for (const row of this.#sizes.all(key, after, limits.events)) {
      bytes += Number(row[0]);
      if (bytes > limits.bytes && !(rows === 0 && limits.atLeastOne)) break;
      rows += 1;
    }
    return rows;
  }

  #list(sql: string): Statement {
    const statement = this.#lists.get(sql) ?? this.#database.prepare(sql);
    this.#lists.set(sql, statement);
    return statement;
  }
}

/** The events of a row after a seq, or what is damaged. */
function unpack(
  row: SqlRow,
  after: number,
): DamagedRange | { readonly events: readonly StoredEvent[]; readonly seq: number } {
  const [seq, count, types, json, crc] = row as EventColumns;
  const before = seq - count;
  if (before > after) return { first: after + 1, last: before };
  const packed = eventsFromRow({ seq, count, types, json }, crc);
  if (!packed) return { first: before + 1, last: seq };
  return { events: packed.slice(after - before), seq };
}

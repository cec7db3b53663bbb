import { crc32 } from "node:zlib";
import type {
  BaseState,
  SessionFilter,
  SessionRecord,
  StoredEvent,
  StoredInput,
} from "../../store.ts";
import { StoreError } from "../../store.ts";
import { sessionUnknown } from "../refusal.ts";
import type { Database, SqlValue, Statement } from "./driver.ts";
import { recordFromRow, selectRecord } from "./record-row.ts";

/** Rows of which only the seq is read in one go. */
const HOLE_ROWS = 1000;

/**
 * Reads through a connection of its own, on the caller's thread: SQLite in WAL mode never makes a
 * reader wait for the writer, and a page of a few hundred rows costs less than sending it between threads.
 */
export class Reader {
  readonly #database: Database;
  readonly #position;
  readonly #events;
  readonly #seqs;
  readonly #record;
  readonly #input;
  readonly #base;
  /** By their SQL: one for each combination of filters. */
  readonly #lists = new Map<string, Statement>();

  constructor(database: Database) {
    // Not opened read-only: libsql ignores that option.
    database.exec("PRAGMA query_only = 1; PRAGMA busy_timeout = 100");
    this.#database = database;
    this.#position = database.prepare(
      "SELECT session_key, trimmed FROM sessions WHERE session_id = ?",
    );
    this.#events = database.prepare(
      "SELECT seq, type, json, crc FROM events WHERE session_key = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#seqs = database.prepare(
      "SELECT seq FROM events WHERE session_key = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#record = database.prepare(`${selectRecord} WHERE session_id = ?`);
    this.#input = database.prepare(
      `SELECT seq, digest FROM inputs JOIN sessions USING (session_key)
       WHERE session_id = ? AND client_message_id = ?`,
    );
    this.#base = database.prepare(
      `SELECT seq, state FROM bases JOIN sessions USING (session_key) WHERE session_id = ?`,
    );
  }

  readEvents(sessionId: string, after: number, limit: number): StoredEvent[] {
    const [position] = this.#position.all(sessionId);
    if (!position) throw sessionUnknown(sessionId);
    const [key, trimmed] = position.map(Number) as [number, number];
    // Trimmed rows may still be there, waiting to be purged.
    const rows = this.#events.all(key, Math.max(after, trimmed), limit);
    const first = Number(rows[0]?.[0]);
    return rows.map((row, index) => {
      const [seq, type, json, crc] = row as readonly [number, string, string, number];
      if (seq !== first + index || crc32(json) !== crc) throw damaged(sessionId, first + index);
      return { seq, type, json };
    });
  }

  /** Looks for missing events, a stretch at a time so that nobody waits long: each call goes on from the last. */
  *findHole(sessionId: string): Generator<undefined, number | undefined> {
    const [position] = this.#position.all(sessionId);
    if (!position) return undefined;
    const [key, trimmed] = position.map(Number) as [number, number];
    let last = trimmed;
    let found = HOLE_ROWS;
    while (found === HOLE_ROWS) {
      const stretch = this.#seqs.all(key, last, HOLE_ROWS);
      for (const [seq] of stretch) {
        if (seq !== last + 1) return last;
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

  listSessions({ owner, status, activity, after, limit }: SessionFilter): SessionRecord[] {
    const terms: [string, ...SqlValue[]][] = [];
    if (owner !== undefined) terms.push(["owner = ?", owner]);
    if (status !== undefined) terms.push(["status = ?", status]);
    if (activity !== undefined) terms.push(["activity = ?", activity]);
    if (after !== undefined) {
      const last = this.getSession(after);
      if (!last || (owner !== undefined && last.owner !== owner)) throw sessionUnknown(after);
      terms.push(["(updated_at, session_id) < (?, ?)", last.updatedAt, after]);
    }
    const where = terms.length > 0 ? `WHERE ${terms.map(([sql]) => sql).join(" AND ")}` : "";
    return this.#list(`${selectRecord} ${where} ORDER BY updated_at DESC, session_id DESC LIMIT ?`)
      .all(...terms.flatMap(([, ...values]) => values), limit)
      .map(recordFromRow);
  }

  readBase(sessionId: string): BaseState | undefined {
    const [row] = this.#base.all(sessionId);
    return row && { seq: Number(row[0]), state: JSON.parse(String(row[1])) };
  }

  close(): void {
    this.#database.close();
  }

  #list(sql: string): Statement {
    const statement = this.#lists.get(sql) ?? this.#database.prepare(sql);
    this.#lists.set(sql, statement);
    return statement;
  }
}

function damaged(sessionId: string, seq: number): StoreError {
  return new StoreError(
    "corrupt",
    `event ${seq} of session ${sessionId} is missing or not what was written: restore the store from a backup`,
  );
}

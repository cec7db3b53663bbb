import { changeFrom, isSearched, type SaidChange } from "../../search/said.ts";
import type { Database } from "./driver.ts";
import { type EventRow, eventsFromRow } from "./event-row.ts";

/** Rows of events that are made searchable in one transaction. */
const BACKLOG_ROWS = 200;
/** Messages of a deleted session that are removed in one transaction. */
const PURGED_MESSAGES = 500;

/** Keeps what was said searchable, in the transactions that write the events. */
export class SearchWriter {
  readonly #database: Database;
  readonly #statements;
  /** Sessions of earlier versions whose logs have not been read yet. */
  readonly #backlog: Set<number>;

  constructor(database: Database) {
    this.#database = database;
    const prepare = (sql: string) => database.prepare(sql);
    this.#statements = {
      insert: prepare(
        `INSERT INTO said (session_key, seq, role, message_id, turn_seq)
         VALUES (?1, ?2, ?3, ?4, (SELECT seq FROM said_turns WHERE session_key = ?1 AND turn_id = ?5))`,
      ),
      insertText: prepare("INSERT INTO said_text (rowid, text) VALUES (last_insert_rowid(), ?)"),
      insertTurn: prepare("INSERT OR REPLACE INTO said_turns VALUES (?, ?, ?)"),
      setTurn: prepare("UPDATE said SET turn_seq = ?3 WHERE session_key = ?1 AND message_id = ?2"),
      turn: prepare("SELECT seq FROM said_turns WHERE session_key = ? AND turn_id = ?"),
      fromTurn: prepare("SELECT id FROM said WHERE session_key = ? AND turn_seq >= ?"),
      ofMessage: prepare("SELECT id FROM said WHERE session_key = ? AND message_id = ?"),
      ofSession: prepare("SELECT id FROM said WHERE session_key = ? LIMIT ?"),
      remove: prepare("DELETE FROM said WHERE id = ?"),
      removeText: prepare("DELETE FROM said_text WHERE rowid = ?"),
      removeTurns: prepare("DELETE FROM said_turns WHERE session_key = ?"),
      keys: prepare("SELECT session_key FROM search_backlog"),
      next: prepare("SELECT session_key, after, up_to FROM search_backlog LIMIT 1"),
      rows: prepare(
        `SELECT seq, count, type, json, crc FROM events
         WHERE session_key = ? AND seq > ? AND seq - count < ? ORDER BY seq LIMIT ${BACKLOG_ROWS}`,
      ),
      setAfter: prepare("UPDATE search_backlog SET after = ? WHERE session_key = ?"),
      setUpTo: prepare("UPDATE search_backlog SET up_to = ? WHERE session_key = ?"),
      done: prepare("DELETE FROM search_backlog WHERE session_key = ?"),
    };
    this.#backlog = new Set(this.#statements.keys.all().map(([key]) => Number(key)));
  }

  /** To be called inside the transaction that writes the rows. */
  add(sessionKey: number, rows: readonly EventRow[]): void {
    if (this.#backlog.has(sessionKey)) {
      // In their order, after what is still to be read.
      const last = rows.at(-1);
      if (last) this.#statements.setUpTo.run(last.seq, sessionKey);
      return;
    }
    for (const row of rows) this.#addRow(sessionKey, row);
  }

  /** Makes a part of an old session searchable, in a transaction of its own; false when all are. */
  step(): boolean {
    const [next] = this.#statements.next.all();
    if (!next) return false;
    const [key, after, upTo] = next.map(Number) as [number, number, number];
    const rows = this.#statements.rows.all(key, after, upTo);
    this.#database.exec("BEGIN IMMEDIATE");
    for (const row of rows) {
      const [seq, count, types, json] = row as readonly [number, number, string, string, number];
      this.#addRow(key, { seq, count, types, json }, Number(row[4]));
    }
    const last = Number(rows.at(-1)?.[0] ?? upTo);
    const isDone = rows.length < BACKLOG_ROWS;
    if (isDone) this.#statements.done.run(key);
    else this.#statements.setAfter.run(last, key);
    this.#database.exec("COMMIT");
    if (isDone) this.#backlog.delete(key);
    return true;
  }

  /** To be called inside the transaction that hides a session. */
  forget(sessionKey: number): void {
    this.#statements.done.run(sessionKey);
  }

  /** Removes some of a hidden session, inside a transaction; false when nothing is left. */
  removeSome(sessionKey: number): boolean {
    const rows = this.#statements.ofSession.all(sessionKey, PURGED_MESSAGES);
    for (const [id] of rows) this.#remove(Number(id));
    if (rows.length === 0) this.#statements.removeTurns.run(sessionKey);
    return rows.length > 0;
  }

  #addRow(sessionKey: number, row: EventRow, checksum?: number): void {
    if (!row.types.split("\n").some(isSearched)) return;
    // What is damaged is left out: reading the session reports it.
    const events = checksum === undefined ? unpacked(row) : (eventsFromRow(row, checksum) ?? []);
    for (const event of events) {
      const change = changeFrom(event);
      if (change) this.#apply(sessionKey, change);
    }
  }

  #apply(key: number, change: SaidChange): void {
    const { insert, insertText, insertTurn, setTurn, turn, fromTurn, ofMessage } = this.#statements;
    switch (change.type) {
      case "said":
        insert.run(key, change.seq, change.role, change.messageId, change.turnId ?? null);
        insertText.run(change.text);
        return;
      case "turn_started":
        insertTurn.run(key, change.turnId, change.seq);
        if (change.messageId !== undefined) setTurn.run(key, change.messageId, change.seq);
        return;
      case "rolled_back": {
        const [from] = turn.all(key, change.turnId);
        if (from) for (const [id] of fromTurn.all(key, Number(from[0]))) this.#remove(Number(id));
        return;
      }
      case "cancelled":
        for (const [id] of ofMessage.all(key, change.messageId)) this.#remove(Number(id));
    }
  }

  #remove(id: number): void {
    this.#statements.removeText.run(id);
    this.#statements.remove.run(id);
  }
}

function unpacked({ seq, count, types, json }: EventRow) {
  if (count === 1) return [{ seq, type: types, json }];
  const names = types.split("\n");
  return json.split("\n").map((line, index) => ({
    seq: seq - count + 1 + index,
    type: names[index] ?? types,
    json: line,
  }));
}

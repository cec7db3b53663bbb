import type { AttachmentWriter } from "./attachment-table.ts";
import type { Database } from "./driver.ts";
import { checksumOf, eventsFromRow, rowFromEvents } from "./event-row.ts";
import type { SearchWriter } from "./search-writer.ts";

/** Events removed in one transaction: short enough that a waiting append hardly notices. */
const PURGE_EVENTS = 2000;

/** Beyond any event: the whole log. */
export const EVERY_SEQ = Number.MAX_SAFE_INTEGER;

/** Removes events and attachments that a delete or trim has hidden already, in small steps, so that no writer waits for it. */
export class Purge {
  readonly #database: Database;
  readonly #next;
  readonly #first;
  readonly #removeRows;
  readonly #partlyHidden;
  readonly #replaceRow;
  readonly #done;
  readonly #add;
  readonly #attachments: AttachmentWriter;
  readonly #search: SearchWriter;

  constructor(database: Database, attachments: AttachmentWriter, search: SearchWriter) {
    this.#attachments = attachments;
    this.#search = search;
    this.#database = database;
    this.#next = database.prepare("SELECT session_key, up_to FROM purges LIMIT 1");
    this.#first = database.prepare("SELECT min(seq) FROM events WHERE session_key = ?");
    this.#removeRows = database.prepare("DELETE FROM events WHERE session_key = ? AND seq <= ?");
    this.#partlyHidden = database.prepare(
      `SELECT seq, count, type, json, crc FROM events
       WHERE session_key = ?1 AND seq > ?2 AND seq - count < ?2 ORDER BY seq LIMIT 1`,
    );
    this.#replaceRow = database.prepare(
      "UPDATE events SET count = ?, type = ?, json = ?, crc = ? WHERE session_key = ? AND seq = ?",
    );
    this.#done = database.prepare("DELETE FROM purges WHERE session_key = ?");
    this.#add = database.prepare("INSERT OR REPLACE INTO purges VALUES (?, ?)");
  }

  /** To be called inside the transaction that hides the rows. */
  add(sessionKey: number, upTo: number): void {
    this.#add.run(sessionKey, upTo);
  }

  /** Removes some rows in a transaction of its own; false when nothing is left to remove. */
  step(): boolean {
    const [row] = this.#next.all();
    if (!row) return false;
    const sessionKey = Number(row[0]);
    const upTo = Number(row[1]);
    const first = this.#first.all(sessionKey)[0]?.[0];
    this.#database.exec("BEGIN IMMEDIATE");
    if (typeof first === "number" && first <= upTo) {
      this.#removeRows.run(sessionKey, Math.min(upTo, first + PURGE_EVENTS - 1));
    } else if (upTo !== EVERY_SEQ || !this.#removeBeside(sessionKey)) {
      this.#cutRow(sessionKey, upTo);
      this.#done.run(sessionKey);
    }
    this.#database.exec("COMMIT");
    return true;
  }

  /** Removes some of what a deleted session has beside its events; false when nothing is left. */
  #removeBeside(sessionKey: number): boolean {
    return this.#search.removeSome(sessionKey) || this.#attachments.removeOne(sessionKey);
  }

  /** Takes the hidden events out of the row that also has events to keep; a damaged row stays as it is. */
  #cutRow(sessionKey: number, upTo: number): void {
    const [row] = this.#partlyHidden.all(sessionKey, upTo);
    if (!row) return;
    const [seq, count, types, json, crc] = row as readonly [number, number, string, string, number];
    const kept = eventsFromRow({ seq, count, types, json }, crc)?.filter(
      (event) => event.seq > upTo,
    );
    if (!kept) return;
    const rest = rowFromEvents(kept);
    this.#replaceRow.run(rest.count, rest.types, rest.json, checksumOf(rest), sessionKey, seq);
  }
}

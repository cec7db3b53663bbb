import type { Database } from "./driver.ts";

/** Rows removed in one transaction: short enough that a waiting append hardly notices. */
const PURGE_ROWS = 2000;

/** Beyond any event: the whole log. */
export const EVERY_SEQ = Number.MAX_SAFE_INTEGER;

/** Removes events that a delete or trim has hidden already, in small steps, so that nobody waits for it. */
export class Purge {
  readonly #database: Database;
  readonly #next;
  readonly #first;
  readonly #removeRows;
  readonly #done;
  readonly #add;

  constructor(database: Database) {
    this.#database = database;
    this.#next = database.prepare("SELECT session_key, up_to FROM purges LIMIT 1");
    this.#first = database.prepare("SELECT min(seq) FROM events WHERE session_key = ?");
    this.#removeRows = database.prepare("DELETE FROM events WHERE session_key = ? AND seq <= ?");
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
      this.#removeRows.run(sessionKey, Math.min(upTo, first + PURGE_ROWS - 1));
    } else {
      this.#done.run(sessionKey);
    }
    this.#database.exec("COMMIT");
    return true;
  }
}

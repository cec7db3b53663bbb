import Libsql from "libsql";

interface BareBatch {
  readonly key: number;
  readonly events: readonly {
    readonly seq: number;
    readonly type: string;
    readonly json: string;
  }[];
}

/** The same rows in the same kind of table as the store's, without thread, port, lease or checksum. */
export class BareSql {
  readonly #database;
  readonly #insert;
  readonly #setHead;

  constructor(path: string) {
    this.#database = new Libsql(path);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 10000;
      CREATE TABLE sessions (session_key INTEGER PRIMARY KEY, head INTEGER NOT NULL);
      CREATE TABLE events (
        session_key INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        type TEXT NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (session_key, seq)
      ) WITHOUT ROWID;
    `);
    this.#insert = this.#database.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
    this.#setHead = this.#database.prepare("INSERT OR REPLACE INTO sessions VALUES (?, ?)");
  }

  /** Returns when everything is durable. */
  append(batches: readonly BareBatch[]): void {
    this.#database.exec("BEGIN IMMEDIATE");
    for (const { key, events } of batches) {
      for (const { seq, type, json } of events) this.#insert.run([key, seq, type, json]);
      this.#setHead.run([key, events.at(-1)?.seq ?? 0]);
    }
    this.#database.exec("COMMIT");
  }

  close(): void {
    this.#database.close();
  }
}

import type { Database } from "./driver.ts";
import type { InboxWriter } from "./inbox-table.ts";
import { EVERY_SEQ, type Purge } from "./purge.ts";
import type { SearchWriter } from "./search-writer.ts";
import type { TranscriptWriter } from "./transcript-table.ts";

export interface SessionRemovalParts {
  readonly inbox: InboxWriter;
  readonly search: SearchWriter;
  readonly purge: Purge;
  readonly transcripts: TranscriptWriter;
}

interface StoredSession {
  readonly sessionId: string;
  readonly key: number;
  readonly generation: number;
  readonly head: number;
  readonly trimmed: number;
}

/** Removes sessions; of deleted ones the last events can be read for a while. Called inside the writer's transactions. */
export class SessionRemoval {
  readonly #parts: SessionRemovalParts;
  readonly #owner;
  readonly #deleteRows;
  readonly #insert;
  readonly #find;
  readonly #old;
  readonly #forget;
  #newestGone = 0;

  constructor(database: Database, parts: SessionRemovalParts) {
    this.#parts = parts;
    this.#owner = database.prepare("SELECT json_quote(owner) FROM sessions WHERE session_key = ?");
    this.#deleteRows = ["sessions", "origins", "inputs", "bases"].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE session_key = ?`),
    );
    this.#insert = database.prepare("INSERT INTO deleted_sessions VALUES (?, ?, ?, ?, ?, ?)");
    this.#find = database.prepare(
      "SELECT session_key, generation FROM deleted_sessions WHERE session_id = ?",
    );
    this.#old = database.prepare("SELECT session_id FROM deleted_sessions WHERE deleted_at <= ?");
    this.#forget = database.prepare("DELETE FROM deleted_sessions WHERE session_id = ?");
  }

  /** The newest generation of any session of which nothing is left. */
  get newestGone(): number {
    return this.#newestGone;
  }

  /** Nothing of it can be read any more. Answers with the session's owner. */
  remove({ key, generation }: Pick<StoredSession, "key" | "generation">): string {
    this.#newestGone = Math.max(this.#newestGone, generation);
    const owner = this.#hide(key);
    this.#purgeRows(key);
    return owner;
  }

  /** Its last events can be read until it is purged. Answers with the session's owner. */
  delete({ sessionId, key, generation, head, trimmed }: StoredSession, at: number): string {
    this.#insert.run(sessionId, key, generation, head, trimmed, at);
    return this.#hide(key);
  }

  /** What is left of a deleted session. */
  find(sessionId: string): Pick<StoredSession, "key" | "generation"> | undefined {
    const [row] = this.#find.all(sessionId);
    return row && { key: Number(row[0]), generation: Number(row[1]) };
  }

  /** Removes what is left of a deleted session. */
  purge(sessionId: string): void {
    const deleted = this.find(sessionId);
    if (!deleted) return;
    this.#newestGone = Math.max(this.#newestGone, deleted.generation);
    this.#forget.run(sessionId);
    this.#purgeRows(deleted.key);
  }

  /** Removes the remains of sessions that were deleted before that time. */
  purgeOld(until: number): void {
    for (const row of this.#old.all(until)) this.purge(String(row[0]));
  }

  #hide(key: number): string {
    const owner: string = JSON.parse(String(this.#owner.all(key)[0]?.[0]));
    for (const statement of this.#deleteRows) statement.run(key);
    this.#parts.search.forget(key);
    return owner;
  }

  #purgeRows(key: number): void {
    this.#parts.inbox.forget(key);
    this.#parts.transcripts.forget(key);
    this.#parts.purge.add(key, EVERY_SEQ);
  }
}

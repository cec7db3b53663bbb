import type { InboxAnswer, InboxEntry } from "../../inbox.ts";
import { entryAnswered } from "../refusal.ts";
import type { Database } from "./driver.ts";

/** Writes inboxes. Called inside the writer's transactions, for sessions that it has checked. */
export class InboxWriter {
  readonly #insert;
  readonly #waiting;
  readonly #begin;
  readonly #answer;
  readonly #forget;
  readonly #purge;

  constructor(database: Database) {
    this.#insert = database.prepare(
      "INSERT INTO inbox (entry_id, session_key, body, at) VALUES (?, ?, ?, ?)",
    );
    this.#waiting = database.prepare(
      "SELECT 1 FROM inbox WHERE entry_id = ? AND session_key = ? AND result IS NULL",
    );
    this.#begin = database.prepare("UPDATE inbox SET begun_in = ? WHERE entry_id = ?");
    this.#answer = database.prepare(
      "UPDATE inbox SET result = ?, answered_at = ? WHERE entry_id = ?",
    );
    this.#forget = database.prepare("DELETE FROM inbox WHERE session_key = ? AND result IS NULL");
    this.#purge = database.prepare("DELETE FROM inbox WHERE answered_at <= ?");
  }

  put(sessionKey: number, entry: Pick<InboxEntry, "entryId" | "body" | "at">): void {
    this.#insert.run(entry.entryId, sessionKey, entry.body, entry.at);
  }

  begin(session: InboxOwner, entry: { readonly entryId: string; readonly generation: number }) {
    this.#checkWaiting(session, entry.entryId);
    this.#begin.run(entry.generation, entry.entryId);
  }

  /** Refuses answers to what does not wait for one; to be called before anything is written. */
  check(session: InboxOwner, answers: readonly InboxAnswer[]): void {
    for (const [index, { entryId }] of answers.entries()) {
      this.#checkWaiting(session, entryId);
      const first = answers.findIndex((answer) => answer.entryId === entryId);
      if (first !== index) throw entryAnswered(session.sessionId, entryId);
    }
  }

  answer(answers: readonly InboxAnswer[], at: number): void {
    for (const { entryId, result } of answers) this.#answer.run(result, at, entryId);
  }

  /** Removes what waits for a session that is gone for good. */
  forget(sessionKey: number): void {
    this.#forget.run(sessionKey);
  }

  /** Removes entries that were answered before that time. */
  purge(until: number): void {
    this.#purge.run(until);
  }

  #checkWaiting({ sessionId, key }: InboxOwner, entryId: string): void {
    if (this.#waiting.all(entryId, key).length === 0) throw entryAnswered(sessionId, entryId);
  }
}

interface InboxOwner {
  readonly sessionId: string;
  readonly key: number;
}

/** Reads inboxes through the reader's connection. */
export class InboxReader {
  readonly #entries;
  readonly #inboxes;
  readonly #result;

  constructor(database: Database) {
    this.#entries = database.prepare(
      `SELECT entry_id, body, at, begun_in FROM inbox JOIN sessions USING (session_key)
       WHERE session_id = ? AND result IS NULL ORDER BY entry_key LIMIT ?`,
    );
    this.#inboxes = database.prepare(
      `SELECT session_id FROM (SELECT DISTINCT session_key FROM inbox WHERE result IS NULL)
       JOIN sessions USING (session_key)`,
    );
    this.#result = database.prepare("SELECT result FROM inbox WHERE entry_id = ?");
  }

  read(sessionId: string, limit: number): InboxEntry[] {
    return this.#entries.all(sessionId, limit).map((row) => {
      const [entryId, body, at, begunIn] = row as readonly [string, string, string, number | null];
      return { entryId, sessionId, body, at, ...(begunIn !== null && { begunIn }) };
    });
  }

  /** The sessions for which something waits. */
  waiting(): string[] {
    return this.#inboxes.all().map(([sessionId]) => String(sessionId));
  }

  findAnswer(entryId: string): string | undefined {
    const result = this.#result.all(entryId)[0]?.[0];
    return typeof result === "string" ? result : undefined;
  }
}

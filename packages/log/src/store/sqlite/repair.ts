import type { Database } from "./driver.ts";

interface LogPosition {
  readonly key: number;
  readonly head: number;
  readonly trimmed: number;
}

/**
 * Holds a session's head against its events, and answers with the head that is really there. Where
 * the newest events are gone, so are the inputs that became them, and the epoch changes: a reader's
 * position in the old log means nothing any more. Removes no event: a log that misses events before
 * others never gets here.
 */
export function repairHead(database: Database, position: LogPosition): number {
  const { key, head } = position;
  const newest = newestSeq(database, position);
  if (newest === head) return head;
  database.prepare("UPDATE sessions SET head = ? WHERE session_key = ?").run(newest, key);
  if (newest < head) {
    database.prepare("DELETE FROM inputs WHERE session_key = ? AND seq > ?").run(key, newest);
    database
      .prepare("UPDATE sessions SET epoch = lower(hex(randomblob(16))) WHERE session_key = ?")
      .run(key);
  }
  return newest;
}

function newestSeq(database: Database, { key, trimmed }: LogPosition): number {
  const rows = database.prepare("SELECT max(seq) FROM events WHERE session_key = ?").all(key);
  return Math.max(Number(rows[0]?.[0] ?? 0), trimmed);
}

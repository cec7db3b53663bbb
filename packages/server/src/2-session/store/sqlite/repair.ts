import type { Database } from "./driver.ts";

interface LogPosition {
  readonly key: number;
  readonly head: number;
  readonly trimmed: number;
}

/**
 * Holds a session's record against its events, and answers with the head that is really there.
 * Where events are missing, what follows the hole goes too, with the inputs that became those
 * events, and the epoch changes: a reader's position in the old log means nothing any more.
 */
export function repairLog(database: Database, position: LogPosition): number {
  const { key, head, trimmed } = position;
  const newest = newestSeq(database, position);
  const prefix = isGapless(database, position, newest) ? newest : gaplessPrefix(database, position);
  if (prefix === head && newest === head) return head;
  const isLost = prefix < head || prefix < newest;
  database.prepare("DELETE FROM events WHERE session_key = ? AND seq > ?").run(key, prefix);
  database.prepare("DELETE FROM inputs WHERE session_key = ? AND seq > ?").run(key, prefix);
  database.prepare("UPDATE sessions SET head = ? WHERE session_key = ?").run(prefix, key);
  if (isLost) {
    database
      .prepare("UPDATE sessions SET epoch = lower(hex(randomblob(16))) WHERE session_key = ?")
      .run(key);
  }
  return Math.max(prefix, trimmed);
}

function newestSeq(database: Database, { key, trimmed }: LogPosition): number {
  const rows = database.prepare("SELECT max(seq) FROM events WHERE session_key = ?").all(key);
  return Math.max(Number(rows[0]?.[0] ?? 0), trimmed);
}

function isGapless(database: Database, { key, trimmed }: LogPosition, newest: number): boolean {
  const rows = database
    .prepare("SELECT count(*) FROM events WHERE session_key = ? AND seq > ?")
    .all(key, trimmed);
  return Number(rows[0]?.[0]) === newest - trimmed;
}

/** The seq before the first hole; `trimmed` where even the first event is missing. */
function gaplessPrefix(database: Database, { key, trimmed }: LogPosition): number {
  const exists = database.prepare("SELECT 1 FROM events WHERE session_key = ? AND seq = ?");
  if (exists.all(key, trimmed + 1).length === 0) return trimmed;
  const rows = database
    .prepare(
      `SELECT min(seq) FROM events AS event
       WHERE session_key = ?1 AND seq > ?2 AND NOT EXISTS
         (SELECT 1 FROM events WHERE session_key = ?1 AND seq = event.seq + 1)`,
    )
    .all(key, trimmed);
  return Number(rows[0]?.[0]);
}

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
export function repairLog(database: Database, position: LogPosition, holeAfter?: number): number {
  const { key, head } = position;
  const newest = newestSeq(database, position);
  const isHole = holeAfter !== undefined && isMissing(database, position, holeAfter + 1);
  const end = isHole ? Math.min(holeAfter, newest) : newest;
  if (end === head && newest === head) return head;
  const isLost = end < head || end < newest;
  database.prepare("DELETE FROM events WHERE session_key = ? AND seq > ?").run(key, end);
  database.prepare("DELETE FROM inputs WHERE session_key = ? AND seq > ?").run(key, end);
  database.prepare("UPDATE sessions SET head = ? WHERE session_key = ?").run(end, key);
  if (isLost) {
    database
      .prepare("UPDATE sessions SET epoch = lower(hex(randomblob(16))) WHERE session_key = ?")
      .run(key);
  }
  return end;
}

function newestSeq(database: Database, { key, trimmed }: LogPosition): number {
  const rows = database.prepare("SELECT max(seq) FROM events WHERE session_key = ?").all(key);
  return Math.max(Number(rows[0]?.[0] ?? 0), trimmed);
}

/** Looks again, now that nobody else can write: retention may have made what looked like a hole. */
function isMissing(database: Database, { key, trimmed }: LogPosition, seq: number): boolean {
  const exists = database.prepare("SELECT 1 FROM events WHERE session_key = ? AND seq = ?");
  return seq > trimmed && exists.all(key, seq).length === 0;
}

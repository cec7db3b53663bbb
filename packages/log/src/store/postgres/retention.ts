import type { SessionRecord } from "../../session-record.ts";
import type { BaseState, Lease } from "../../store.ts";
import { StoreError } from "../../store-error.ts";
import { leaseLost, sessionUnknown, trimRefusal } from "../refusal.ts";
import { removeAttachments } from "./attachment-table.ts";
import type { Database, Statements } from "./database.ts";
import { isHeld } from "./holder-table.ts";
import { ownerFromRow } from "./record-row.ts";
import { forgetSaid } from "./search-table.ts";
import { insertNewSession, lockOwnedSession } from "./session-table.ts";
import { removeTranscripts } from "./transcript-table.ts";

/** Events removed by one statement: short enough that no one waits long for it. */
const REMOVED_EVENTS = 5000;

const setBase = `
  INSERT INTO turnwire.bases (session_key, seq, state) VALUES ($1, $2, $3)
  ON CONFLICT (session_key) DO UPDATE SET seq = excluded.seq, state = excluded.state`;
const setTrimmed = "UPDATE turnwire.heads SET trimmed = $2 WHERE session_key = $1";

/** Hides the events up to a base, then removes them bit by bit. */
export async function trimSession(
  database: Database,
  lease: { readonly sessionId: string; readonly generation: number },
  base: BaseState,
): Promise<void> {
  const { sessionId, generation } = lease;
  const sessionKey = await database.transaction(
    async (statements) => {
      const owned = await lockOwnedSession(statements, sessionId, generation);
      const refusal = trimRefusal({ ...owned, sessionId }, base.seq);
      if (refusal) throw refusal;
      await statements.run(setBase, [owned.session_key, base.seq, JSON.stringify(base.state)]);
      await statements.run(setTrimmed, [owned.session_key, base.seq]);
      return owned.session_key;
    },
    { isRepeatable: true },
  );
  await removeEvents(database, sessionKey, base.seq);
}

// After the last one that was removed: an index keeps what is gone for a while, and is walked through from there.
const removeSome = `
  WITH gone AS (
    DELETE FROM turnwire.events WHERE session_key = $1 AND seq > $2 AND seq <= least($3::bigint,
      (SELECT min(seq) FROM turnwire.events WHERE session_key = $1 AND seq > $2) + ${REMOVED_EVENTS} - 1)
    RETURNING seq
  )
  SELECT max(seq) AS last FROM gone`;

async function removeEvents(statements: Statements, key: number, upTo: number): Promise<void> {
  for (let last: number | null = 0; last !== null && last < upTo;) {
    const [row]: { last: number | null }[] = await statements.run(removeSome, [key, last, upTo]);
    last = row?.last ?? null;
  }
}

const removeRecord = "DELETE FROM turnwire.sessions WHERE session_key = $1 RETURNING owner";
const removeBeside = [
  "DELETE FROM turnwire.inputs WHERE session_key = $1",
  "DELETE FROM turnwire.bases WHERE session_key = $1",
];
const markDeleted = `
  UPDATE turnwire.heads SET deleted_at = clock_timestamp(), holder = NULL WHERE session_key = $1`;
const findDeleted = `
  SELECT session_key FROM turnwire.heads
  WHERE session_id = $1 AND generation = $2 AND deleted_at IS NOT NULL`;

/** Hides a session, in a transaction; its events stay to be read. Answers with its owner, if it was there. */
export async function hideSession(
  statements: Statements,
  lease: { readonly sessionId: string; readonly generation: number },
  isRepeat: boolean,
): Promise<string | undefined> {
  const { sessionId, generation } = lease;
  if (isRepeat && (await statements.run(findDeleted, [sessionId, generation])).length > 0) return;
  const { session_key: key } = await lockOwnedSession(statements, sessionId, generation);
  const owner = await forgetRecord(statements, key);
  await statements.run(markDeleted, [key]);
  return owner;
}

/** Removes everything but events, inbox and head. */
async function forgetRecord(statements: Statements, key: number): Promise<string | undefined> {
  const [record] = await statements.run<{ owner: string }>(removeRecord, [key]);
  for (const statement of removeBeside) await statements.run(statement, [key]);
  await forgetSaid(statements, key);
  await removeAttachments(statements, key);
  return record && ownerFromRow(record);
}

const lockUnheld = `
  SELECT h.session_key, h.generation, ${isHeld} AS is_held FROM turnwire.heads AS h
  WHERE h.session_id = $1 AND h.deleted_at IS NULL FOR UPDATE OF h`;

/** Removes a session that no one holds. Answers with its owner, where that can be read. */
export async function removeUnheld(
  database: Database,
  sessionId: string,
): Promise<string | undefined> {
  const { key, owner } = await database.transaction(
    async (statements) => {
      type Row = { session_key: number; generation: number; is_held: boolean };
      const [row] = await statements.run<Row>(lockUnheld, [sessionId]);
      if (!row) throw sessionUnknown(sessionId);
      if (row.is_held) throw leaseLost({ sessionId, generation: row.generation }, 0);
      const forgotten = await forgetRecord(statements, row.session_key);
      await statements.run(markDeleted, [row.session_key]);
      return { key: row.session_key, owner: forgotten };
    },
    { isRepeatable: false },
  );
  await erase(database, key);
  return owner;
}

const hideEvents = "UPDATE turnwire.heads SET trimmed = head WHERE session_key = $1";
const removeHidden = [
  "DELETE FROM turnwire.events WHERE session_key = $1",
  "DELETE FROM turnwire.inbox WHERE session_key = $1 AND result IS NULL",
  "DELETE FROM turnwire.heads WHERE session_key = $1",
];

/** Removes the rest of a session whose record is gone, its events bit by bit. */
async function erase(database: Database, key: number): Promise<void> {
  // Whoever reads it meanwhile finds no events, and not that some are missing.
  await database.run(hideEvents, [key]);
  await removeEvents(database, key, Number.MAX_SAFE_INTEGER);
  await database.transaction(
    async (statements) => {
      await removeTranscripts(statements, key);
      for (const statement of removeHidden) await statements.run(statement, [key]);
    },
    { isRepeatable: true },
  );
}

const lockDeleted = `
  SELECT session_key, generation FROM turnwire.heads
  WHERE session_id = $1 AND deleted_at IS NOT NULL FOR UPDATE`;
/** No session can have such an id. What is left is purged in its time: there may be a lot of it. */
const giveUpId = `
  UPDATE turnwire.heads SET session_id = 'deleted/' || session_key WHERE session_key = $1`;

/** Makes a session, in the place of a deleted one with its id; the holder lives. */
export async function createSession(
  database: Database,
  record: SessionRecord,
  holder: string,
): Promise<Lease> {
  try {
    return await database.use(
      (statements, isRepeat) =>
        insertNewSession(statements, record, { holder, atLeast: 1, isRepeat }),
      { isRepeatable: true },
    );
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "session_exists") throw error;
    return database.transaction(
      async (statements, isRepeat) => {
        type Row = { session_key: number; generation: number };
        const [deleted] = await statements.run<Row>(lockDeleted, [record.sessionId]);
        if (!deleted && !isRepeat) throw error;
        if (deleted) await statements.run(giveUpId, [deleted.session_key]);
        // Whoever had the deleted one must not be able to write to this one.
        const atLeast = (deleted?.generation ?? 0) + 1;
        return insertNewSession(statements, record, { holder, atLeast, isRepeat });
      },
      { isRepeatable: true },
    );
  }
}

const findOld = `
  SELECT session_key FROM turnwire.heads
  WHERE deleted_at <= clock_timestamp() - $1 * interval '1 ms' LIMIT 1`;

/** Removes what is left of sessions that were deleted so long ago. Several hosts may do it at once. */
export async function purgeDeleted(database: Database, olderThanMs: number): Promise<void> {
  for (;;) {
    const [old] = await database.run<{ session_key: number }>(findOld, [olderThanMs]);
    if (!old) return;
    await erase(database, old.session_key);
  }
}

import { randomUUID } from "node:crypto";
import type { InboxAnswer, InboxEntry } from "../../inbox.ts";
import { entryAnswered, sessionUnknown } from "../refusal.ts";
import type { SqlRow, Statements } from "./database.ts";
import { lockOwnedSession } from "./session-table.ts";

// Locked, so that a session that is being deleted is waited for, and then not found.
const put = `
  WITH known AS (
    SELECT session_key FROM turnwire.heads
    WHERE session_id = $1 AND deleted_at IS NULL FOR KEY SHARE
  )
  INSERT INTO turnwire.inbox (entry_id, session_key, body, at)
  SELECT $2, session_key, $3, clock_timestamp() FROM known
  ON CONFLICT (entry_id) DO UPDATE SET body = excluded.body
  RETURNING entry_id`;

export async function putInboxEntry(
  statements: Statements,
  sessionId: string,
  body: string,
): Promise<string> {
  // Made here, so that a repeat stores nothing twice.
  const entryId = randomUUID();
  const stored = await statements.run(put, [sessionId, entryId, body]);
  if (stored.length === 0) throw sessionUnknown(sessionId);
  return entryId;
}

interface EntryRow extends SqlRow {
  readonly entry_id: string;
  readonly body: string;
  readonly at: number;
  readonly begun_in: number | null;
}

const waiting = `
  SELECT i.entry_id, i.body, (extract(epoch FROM i.at) * 1000)::float8 AS at, i.begun_in
  FROM turnwire.inbox AS i
  WHERE i.session_key =
      (SELECT session_key FROM turnwire.heads WHERE session_id = $1 AND deleted_at IS NULL)
    AND i.result IS NULL
  ORDER BY i.entry_key LIMIT $2`;

export async function readInbox(
  statements: Statements,
  sessionId: string,
  limit: number,
): Promise<InboxEntry[]> {
  const rows = await statements.run<EntryRow>(waiting, [sessionId, limit]);
  return rows.map(({ entry_id: entryId, body, at: atMs, begun_in: begunIn }) => {
    const at = new Date(atMs).toISOString();
    return { entryId, sessionId, body, at, ...(begunIn !== null && { begunIn }) };
  });
}

// By what waits, which is little, and never by what the holder has, which may be thousands of sessions:
// the limit keeps the planner from beginning there.
const inboxes = `
  SELECT held.session_id
  FROM (SELECT DISTINCT session_key FROM turnwire.inbox WHERE result IS NULL) AS waiting
  CROSS JOIN LATERAL (
    SELECT h.session_id FROM turnwire.heads AS h
    WHERE h.session_key = waiting.session_key AND h.holder = $1 AND h.deleted_at IS NULL LIMIT 1
  ) AS held`;

export async function listWaitingInboxes(
  statements: Statements,
  holder: string,
): Promise<string[]> {
  const rows = await statements.run<{ session_id: string }>(inboxes, [holder]);
  return rows.map((row) => row.session_id);
}

const begin = `
  UPDATE turnwire.inbox SET begun_in = $3
  WHERE entry_id = $1 AND session_key = $2 AND result IS NULL RETURNING entry_id`;

/** In a transaction. */
export async function beginInboxEntry(
  statements: Statements,
  { sessionId, generation }: { readonly sessionId: string; readonly generation: number },
  entryId: string,
): Promise<void> {
  const { session_key: key } = await lockOwnedSession(statements, sessionId, generation);
  const begun = await statements.run(begin, [entryId, key, generation]);
  if (begun.length === 0) throw entryAnswered(sessionId, entryId);
}

const answer = `
  UPDATE turnwire.inbox SET result = $3, answered_at = clock_timestamp()
  WHERE entry_id = $1 AND session_key = $2 AND result IS NULL RETURNING entry_id`;

interface InboxPlace {
  readonly sessionId: string;
  readonly sessionKey: number;
  /** The same answers may have been given by an earlier attempt. */
  readonly isRepeat: boolean;
}

/** Answers entries of a session that the caller may write to, in a transaction. */
export async function answerEntries(
  statements: Statements,
  { sessionId, sessionKey, isRepeat }: InboxPlace,
  answers: readonly InboxAnswer[],
): Promise<void> {
  for (const given of answers) {
    const { entryId } = given;
    const answered = await statements.run(answer, [entryId, sessionKey, given.result]);
    if (answered.length > 0) continue;
    const isOurs = isRepeat && (await findInboxAnswer(statements, entryId)) === given.result;
    if (!isOurs) throw entryAnswered(sessionId, entryId);
  }
}

const lockDeleted = `
  SELECT session_key FROM turnwire.heads
  WHERE session_id = $1 AND generation = $2 AND deleted_at IS NOT NULL FOR UPDATE`;

/** The generation that deleted a session can still answer what waited for it. In a transaction. */
export async function answerInboxEntry(
  statements: Statements,
  { sessionId, generation }: { readonly sessionId: string; readonly generation: number },
  { isRepeat, ...given }: InboxAnswer & { readonly isRepeat: boolean },
): Promise<void> {
  const [deleted] = await statements.run<{ session_key: number }>(lockDeleted, [
    sessionId,
    generation,
  ]);
  const { session_key: sessionKey } =
    deleted ?? (await lockOwnedSession(statements, sessionId, generation));
  await answerEntries(statements, { sessionId, sessionKey, isRepeat }, [given]);
}

const result = "SELECT result FROM turnwire.inbox WHERE entry_id = $1 AND result IS NOT NULL";

export async function findInboxAnswer(
  statements: Statements,
  entryId: string,
): Promise<string | undefined> {
  const [row] = await statements.run<{ result: string }>(result, [entryId]);
  return row?.result;
}

const forgetAnswers = `
  DELETE FROM turnwire.inbox WHERE answered_at <= clock_timestamp() - $1 * interval '1 ms'`;

export async function forgetOldAnswers(statements: Statements, olderThanMs: number): Promise<void> {
  await statements.run(forgetAnswers, [olderThanMs]);
}

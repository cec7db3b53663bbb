import { randomUUID } from "node:crypto";
import type { SessionFilter, SessionRecord } from "../../session-record.ts";
import type { BaseState, Lease, LeaseRequest, StoredInput } from "../../store.ts";
import { initialState, type SessionState } from "@turnwire/protocol";
import { leaseLost, logDamaged, recordDamaged, sessionExists, sessionUnknown } from "../refusal.ts";
import type { SqlRow, SqlValue, Statements } from "./database.ts";
import { type EventStretch, inspectEvents } from "./event-table.ts";
import { isHeld } from "./holder-table.ts";
import { columnsFromRecord, recordColumns, recordFromRow, type RecordRow } from "./record-row.ts";

// Generations begin with the time, so that a lease on an earlier session of the same id, of which nothing
// is left, is not good for this one.
const insertSession = `
  WITH made AS (
    INSERT INTO turnwire.heads (session_id, generation, holder)
    VALUES ($1, greatest($12::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), $11)
    ON CONFLICT (session_id) DO NOTHING RETURNING session_key, generation
  )
  INSERT INTO turnwire.sessions (session_key, session_id, owner, epoch, status, activity, updated_at,
    is_partial, storage, origin, facts)
  SELECT session_key, $1, $2, $3, $4, $5, $6, $7::boolean, $8, $9, $10::jsonb FROM made
  RETURNING (SELECT generation FROM made) AS generation`;

const selectOwn = `
  SELECT h.generation FROM turnwire.heads AS h JOIN turnwire.sessions AS s USING (session_key)
  WHERE h.session_id = $1 AND s.epoch = $2 AND h.holder = $3 AND h.head = 0`;

interface NewLease {
  readonly holder: string;
  /** The lowest generation that it may get. */
  readonly atLeast: number;
  /** An earlier attempt may have made the session. */
  readonly isRepeat: boolean;
}

/** Makes a session whose id is free; the holder lives. */
export async function insertNewSession(
  statements: Statements,
  record: SessionRecord,
  { holder, atLeast, isRepeat }: NewLease,
): Promise<Lease> {
  type Row = { generation: number };
  const values = [...columnsFromRecord(record), holder, atLeast];
  let [made] = await statements.run<Row>(insertSession, values);
  if (!made && isRepeat) {
    [made] = await statements.run<Row>(selectOwn, [record.sessionId, record.epoch, holder]);
  }
  if (made) return { generation: made.generation, record: { ...record, head: 0, trimmed: 0 } };
  throw sessionExists(record.sessionId);
}

interface HeadRow extends SqlRow {
  readonly session_key: number;
  readonly generation: number;
  readonly holder: string | null;
  readonly head: number;
  readonly trimmed: number;
}

const lockHead = `
  SELECT session_key, generation, holder, head, trimmed FROM turnwire.heads
  WHERE session_id = $1 AND deleted_at IS NULL FOR UPDATE`;
/** Waits for a renewal that is under way. */
const lockHolder = `
  SELECT lives_until > clock_timestamp() AS is_alive FROM turnwire.holders
  WHERE holder = $1 FOR SHARE`;
const takeLease = `
  UPDATE turnwire.heads SET generation = generation + 1, holder = $2, head = $3
  WHERE session_key = $1`;
const setEpoch = "UPDATE turnwire.sessions SET epoch = $2 WHERE session_key = $1";
const forgetInputs = "DELETE FROM turnwire.inputs WHERE session_key = $1 AND seq > $2";
const selectRecord = `
  SELECT ${recordColumns} FROM turnwire.sessions AS s JOIN turnwire.heads AS h USING (session_key)
  WHERE s.session_id = $1`;

const lookUp = `
  SELECT h.session_key, h.head, h.trimmed,
    coalesce(h.holder <> $2 AND ${isHeld}, false) AS is_held_by_other
  FROM turnwire.heads AS h WHERE h.session_id = $1 AND h.deleted_at IS NULL`;

interface FoundSession extends SqlRow, EventStretch {
  /** By another living holder. */
  readonly is_held_by_other: boolean;
}

/** What is known of a session without a lock or a write, since hosts ask for each session that they follow. */
export async function lookUpSession(
  statements: Statements,
  { sessionId, holder }: Pick<LeaseRequest, "sessionId" | "holder">,
): Promise<FoundSession | undefined> {
  const [found] = await statements.run<FoundSession>(lookUp, [sessionId, holder]);
  return found;
}

/** Up to where no event of a session is missing. */
interface WholePart {
  readonly sessionKey: number;
  readonly upTo: number;
}

/** Takes the lease, in a transaction; the new holder lives. In the whole part no missing events are looked for. */
export async function takeSession(
  statements: Statements,
  { sessionId, holder }: LeaseRequest,
  whole: WholePart,
): Promise<Lease | undefined> {
  const [row] = await statements.run<HeadRow>(lockHead, [sessionId]);
  if (!row) return undefined;
  if (row.holder !== null && row.holder !== holder) {
    const [other] = await statements.run<{ is_alive: boolean }>(lockHolder, [row.holder]);
    if (other?.is_alive) return undefined;
  }
  const { session_key: key, head, trimmed } = row;
  const from = Math.max(trimmed, whole.sessionKey === key ? whole.upTo : 0);
  const newest = from >= head ? head : await newestEvent(statements, { ...row, sessionId, from });
  await statements.run(takeLease, [key, holder, newest]);
  if (newest < head) {
    // The tail is lost, as after a restore: whoever read it must notice.
    await statements.run(setEpoch, [key, randomUUID()]);
    await statements.run(forgetInputs, [key, Math.max(newest, trimmed)]);
  }
  const [found] = await statements.run<RecordRow>(selectRecord, [sessionId]);
  const record = found && recordFromRow(found);
  if (!record || record.isDamaged) throw recordDamaged(sessionId);
  return { generation: row.generation + 1, record };
}

async function newestEvent(
  statements: Statements,
  { sessionId, from, ...row }: HeadRow & { readonly sessionId: string; readonly from: number },
): Promise<number> {
  const { newest, hole } = await inspectEvents(statements, row.session_key, from);
  if (hole) throw logDamaged(sessionId, hole);
  return Math.min(newest, row.head);
}

const release = `
  UPDATE turnwire.heads SET holder = NULL
  WHERE session_id = $1 AND generation = $2 AND holder IS NOT NULL AND deleted_at IS NULL
  RETURNING session_id`;

/** Whether there was a lease to release. */
export async function releaseSession(
  statements: Statements,
  sessionId: string,
  generation: number,
): Promise<boolean> {
  return (await statements.run(release, [sessionId, generation])).length > 0;
}

const lockOwned = `
  SELECT h.session_key, h.generation, h.holder, h.head, h.trimmed FROM turnwire.heads AS h
  WHERE h.session_id = $1 AND h.generation = $2 AND h.deleted_at IS NULL AND ${isHeld}
  FOR UPDATE OF h`;

/** The session of a generation that may write, locked until the transaction ends; refuses any other. */
export async function lockOwnedSession(
  statements: Statements,
  sessionId: string,
  generation: number,
): Promise<HeadRow> {
  const [row] = await statements.run<HeadRow>(lockOwned, [sessionId, generation]);
  if (row) return row;
  throw leaseLost(await positionOf(statements, sessionId), generation);
}

const position = `
  SELECT h.session_key, h.head, h.trimmed, CASE WHEN ${isHeld} THEN h.generation END AS generation
  FROM turnwire.heads AS h WHERE h.session_id = $1 AND h.deleted_at IS NULL`;

/** What writes are judged by; refuses as `session_unknown`. */
export async function positionOf(statements: Statements, sessionId: string) {
  type Row = SqlRow & { head: number; trimmed: number; generation: number | null };
  const [row] = await statements.run<Row>(position, [sessionId]);
  if (!row) throw sessionUnknown(sessionId);
  const { head, trimmed, generation } = row;
  return { sessionId, head, trimmed, generation: generation ?? undefined };
}

export async function findSession(
  statements: Statements,
  sessionId: string,
): Promise<SessionRecord | undefined> {
  const [row] = await statements.run<RecordRow>(selectRecord, [sessionId]);
  return row && recordFromRow(row);
}

export async function listSessions(
  statements: Statements,
  filter: SessionFilter,
): Promise<SessionRecord[]> {
  const { owner, status, activity, isPartial = false, after, limit } = filter;
  const values: SqlValue[] = [isPartial];
  const terms = ["s.is_partial = $1"];
  const add = (term: (...places: string[]) => string, ...given: SqlValue[]) => {
    const places = given.map((value) => `$${values.push(value)}`);
    terms.push(term(...places));
  };
  if (owner !== undefined) add((place) => `s.owner = ${place}`, JSON.stringify(owner));
  if (status !== undefined) add((place) => `s.status = ${place}`, status);
  if (activity !== undefined) add((place) => `s.activity = ${place}`, activity);
  if (after) {
    const row = (...place: string[]) => `(s.updated_at, s.session_id) < (${place.join(", ")})`;
    add(row, after.updatedAt, after.sessionId);
  }
  const count = `$${values.push(Math.min(limit, Number.MAX_SAFE_INTEGER))}`;
  const rows = await statements.run<RecordRow>(
    `SELECT ${recordColumns} FROM turnwire.sessions AS s
     JOIN turnwire.heads AS h USING (session_key) WHERE ${terms.join(" AND ")}
     ORDER BY s.updated_at DESC, s.session_id DESC LIMIT ${count}`,
    values,
  );
  return rows.map(recordFromRow);
}

const heads = "SELECT session_id, head FROM turnwire.heads WHERE session_id = ANY ($1)";

export async function readHeads(
  statements: Statements,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  type Row = { session_id: string; head: number };
  const rows = await statements.run<Row>(heads, [sessionIds]);
  return new Map(rows.map((row) => [row.session_id, row.head]));
}

const input = `
  SELECT i.seq, i.digest FROM turnwire.inputs AS i
  JOIN turnwire.sessions AS s USING (session_key)
  WHERE s.session_key = (SELECT session_key FROM turnwire.heads WHERE session_id = $1)
    AND i.client_message_id = $2`;

export async function findInput(
  statements: Statements,
  sessionId: string,
  clientMessageId: string,
): Promise<StoredInput | undefined> {
  type Row = { seq: number; digest: string };
  const [row] = await statements.run<Row>(input, [sessionId, JSON.stringify(clientMessageId)]);
  return row && { clientMessageId, seq: row.seq, digest: row.digest };
}

const base = `
  SELECT b.seq, b.state FROM turnwire.bases AS b
  WHERE b.session_key = (SELECT session_key FROM turnwire.heads WHERE session_id = $1)`;

export async function readBase(
  statements: Statements,
  sessionId: string,
): Promise<BaseState | undefined> {
  const [row] = await statements.run<{ seq: number; state: string }>(base, [sessionId]);
  if (!row) return undefined;
  try {
    const stored: SessionState = JSON.parse(row.state);
    // What an earlier version stored lacks the fields that are newer.
    return { seq: row.seq, state: { ...initialState(), ...stored } };
  } catch (error) {
    throw logDamaged(sessionId, { first: 1, last: row.seq }, error);
  }
}

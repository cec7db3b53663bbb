import type { HostDescription, HostRecord, OrphanQuery } from "../../host-registry.ts";
import type { SqlRow, Statements } from "./database.ts";

/** How long a host that died stays listed. */
const DEAD_LISTED = "interval '10 minutes'";

/** SQL that is true while the holder of turnwire.heads AS h lives. */
export const isHeld = `EXISTS (
  SELECT FROM turnwire.holders AS o
  WHERE o.holder = h.holder AND o.lives_until > clock_timestamp())`;

const extend = `
  INSERT INTO turnwire.holders AS o (holder, lives_until, seen_at)
  VALUES ($1, clock_timestamp() + $2 * interval '1 ms', clock_timestamp())
  ON CONFLICT (holder) DO UPDATE SET lives_until = excluded.lives_until, seen_at = excluded.seen_at
  WHERE o.lives_until < excluded.lives_until`;

/** States that a holder lives for at least so long from now. */
export async function extendHolder(
  statements: Statements,
  holder: string,
  ttlMs: number,
): Promise<void> {
  await statements.run(extend, [holder, ttlMs]);
}

// The row is locked before it is looked at: whoever takes a lease from this holder looks at it under lock too.
const renew = `
  WITH before AS (
    SELECT lives_until > clock_timestamp() AS was_alive FROM turnwire.holders
    WHERE holder = $1 FOR UPDATE
  )
  INSERT INTO turnwire.holders AS o (holder, lives_until, seen_at, description)
  SELECT $1, clock_timestamp() + $2 * interval '1 ms', clock_timestamp(), $3
  FROM (SELECT bool_or(was_alive) FROM before) AS looked
  ON CONFLICT (holder) DO UPDATE SET lives_until = excluded.lives_until,
    seen_at = excluded.seen_at, description = coalesce(excluded.description, o.description)
  RETURNING coalesce((SELECT was_alive FROM before), false) AS was_alive`;

/** The holder lives for so long from now; false when it did not live before. */
export async function renewHolder(
  statements: Statements,
  holder: string,
  ttlMs: number,
  description?: HostDescription,
): Promise<boolean> {
  const text = description ? JSON.stringify(description) : null;
  const [row] = await statements.run<{ was_alive: boolean }>(renew, [holder, ttlMs, text]);
  return row?.was_alive ?? false;
}

const remove = `
  WITH gone AS (DELETE FROM turnwire.holders WHERE holder = $1)
  UPDATE turnwire.heads SET holder = NULL WHERE holder = $1 AND deleted_at IS NULL
  RETURNING session_id`;

/** Answers with the ids of the sessions that the holder had. */
export async function removeHolder(statements: Statements, holder: string): Promise<string[]> {
  const rows = await statements.run<{ session_id: string }>(remove, [holder]);
  return rows.map((row) => row.session_id);
}

const listed = `
  SELECT o.holder, o.description, o.lives_until > clock_timestamp() AS is_alive,
    (extract(epoch FROM o.seen_at) * 1000)::float8 AS seen_at,
    (SELECT count(*) FROM turnwire.heads AS h
      WHERE h.holder = o.holder AND h.deleted_at IS NULL) AS sessions
  FROM turnwire.holders AS o
  WHERE o.description IS NOT NULL AND o.lives_until > clock_timestamp() - ${DEAD_LISTED}
  ORDER BY o.holder`;

interface HostRow extends SqlRow {
  readonly holder: string;
  readonly description: string;
  readonly is_alive: boolean;
  readonly seen_at: number;
  readonly sessions: number;
}

export async function listHosts(statements: Statements): Promise<HostRecord[]> {
  const rows = await statements.run<HostRow>(listed);
  return rows.map((row) => {
    // As renewHolder wrote it.
    const description: HostDescription = JSON.parse(row.description);
    const seenAt = new Date(row.seen_at).toISOString();
    const { is_alive: isAlive, sessions } = row;
    return { ...description, hostId: row.holder, isAlive, seenAt, sessions };
  });
}

const orphans = `
  WITH needing AS (
    SELECT s.session_key, s.session_id, s.updated_at, s.storage FROM turnwire.sessions AS s
    JOIN turnwire.heads AS h USING (session_key)
    WHERE (s.is_partial OR s.activity <> 'idle' OR s.status = 'live')
      AND (s.is_partial OR s.activity <> 'idle' OR h.head > 1) AND NOT ${isHeld}
    UNION
    SELECT s.session_key, s.session_id, s.updated_at, s.storage
    FROM (SELECT DISTINCT session_key FROM turnwire.inbox WHERE result IS NULL) AS waiting
    JOIN turnwire.sessions AS s USING (session_key)
    JOIN turnwire.heads AS h USING (session_key)
    WHERE NOT ${isHeld}
  )
  SELECT session_id FROM needing
  WHERE $1::text IS NULL OR storage IS NULL OR storage = $1
  ORDER BY updated_at, session_id LIMIT $2`;

export async function listOrphans(
  statements: Statements,
  { limit, storage }: OrphanQuery,
): Promise<string[]> {
  const name = storage === undefined ? null : JSON.stringify(storage);
  const rows = await statements.run<{ session_id: string }>(orphans, [name, limit]);
  return rows.map((row) => row.session_id);
}

const forget = `
  DELETE FROM turnwire.holders WHERE lives_until < clock_timestamp() - ${DEAD_LISTED}`;

/** Forgets holders that died long ago. */
export async function forgetDeadHolders(statements: Statements): Promise<void> {
  await statements.run(forget);
}

const forgetAll = `
  WITH gone AS (DELETE FROM turnwire.holders)
  UPDATE turnwire.heads SET holder = NULL WHERE holder IS NOT NULL AND deleted_at IS NULL`;

/** Forgets every holder, with its leases. */
export async function forgetHolders(statements: Statements): Promise<void> {
  await statements.run(forgetAll);
}

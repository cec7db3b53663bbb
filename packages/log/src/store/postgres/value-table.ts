import type { Counted, SharedValues, Slot } from "../../shared-values.ts";
import type { Database } from "./database.ts";

/** The tables of what hosts have in common beside sessions. */
export const valueTables = `
  CREATE TABLE turnwire.shared_values (
    key text COLLATE "C" PRIMARY KEY,
    -- a JSON string: Postgres takes no NUL in a text
    value text NOT NULL,
    -- NULL: it stays
    expires_at timestamptz
  );
  CREATE INDEX shared_values_expiry ON turnwire.shared_values (expires_at) WHERE expires_at IS NOT NULL;

  -- Counts may be lost in a crash: they are short, and every wrong password writes one
  CREATE UNLOGGED TABLE turnwire.shared_counts (
    key text COLLATE "C" PRIMARY KEY,
    count bigint NOT NULL,
    expires_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX shared_counts_expiry ON turnwire.shared_counts (expires_at);

  CREATE TABLE turnwire.shared_slots (
    pool text NOT NULL,
    slot_id text NOT NULL,
    holder text NOT NULL,
    PRIMARY KEY (pool, slot_id)
  );
`;

/** Shared values in Postgres, by its clock. */
export class ValueTable implements SharedValues {
  readonly #open: () => Database;
  readonly #onChanged: (key: string) => void;

  /** `open` throws when the store is closed; `onChanged` is called after a value or a pool of slots has changed. */
  constructor(open: () => Database, onChanged: (key: string) => void) {
    this.#open = open;
    this.#onChanged = onChanged;
  }

  async readValue(key: string): Promise<string | undefined> {
    const [row] = await this.#open().run<ValueRow>(
      `SELECT value FROM turnwire.shared_values
      WHERE key = $1 AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
      [key],
    );
    return row && valueFrom(row);
  }

  async listValues(prefix: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#open().run<ValueRow & { key: string }>(
      `SELECT key, value FROM turnwire.shared_values
      WHERE key >= $1 AND starts_with(key, $1)
        AND (expires_at IS NULL OR expires_at > clock_timestamp())
      ORDER BY key`,
      [prefix],
    );
    return new Map(rows.map((row) => [row.key, valueFrom(row)]));
  }

  async writeValue(
    key: string,
    value: string,
    options: { readonly ttlMs?: number; readonly onlyIf?: string | null } = {},
  ): Promise<boolean> {
    const { ttlMs, onlyIf } = options;
    const given = [key, JSON.stringify(value), ttlMs ?? null];
    const rows = await this.#open().use(
      (statements) => {
        if (onlyIf === undefined) return statements.run(writeAlways, given);
        if (onlyIf === null) return statements.run(writeUnlessThere, given);
        return statements.run(writeIfSame, [...given, JSON.stringify(onlyIf)]);
      },
      // Repeated, a condition would find what it has written itself.
      { isRepeatable: onlyIf === undefined },
    );
    if (rows.length > 0) this.#onChanged(key);
    return rows.length > 0;
  }

  async takeValue(key: string): Promise<string | undefined> {
    const [row] = await this.#open().use(
      (statements) =>
        statements.run<ValueRow & { is_good: boolean }>(
          `DELETE FROM turnwire.shared_values WHERE key = $1
          RETURNING value, expires_at IS NULL OR expires_at > clock_timestamp() AS is_good`,
          [key],
        ),
      { isRepeatable: false },
    );
    if (!row?.is_good) return undefined;
    this.#onChanged(key);
    return valueFrom(row);
  }

  async count(key: string, windowMs: number, by = 1): Promise<Counted> {
    const [row] =
      by === 0
        ? await this.#open().run<CountRow>(
            `SELECT count, ${resetInMs} FROM turnwire.shared_counts
            WHERE key = $1 AND expires_at > clock_timestamp()`,
            [key],
          )
        : await this.#open().run<CountRow>(add, [key, by, windowMs]);
    return row ? { count: row.count, resetInMs: row.reset_in_ms } : { count: 0, resetInMs: 0 };
  }

  async takeSlot(pool: string, slot: Slot, limit: number): Promise<boolean> {
    return this.#open().transaction(
      async (statements) => {
        // Whoever waited for the lock sees what the one before has taken: the next statement looks again.
        await statements.run(
          "SELECT pg_advisory_xact_lock(hashtext('turnwire slots'), hashtext($1))",
          [pool],
        );
        await statements.run(removeDead, [pool]);
        const rows = await statements.run(insertSlot, [pool, slot.id, slot.holder, limit]);
        return rows.length > 0;
      },
      { isRepeatable: true },
    );
  }

  async releaseSlot(pool: string, slotId: string): Promise<void> {
    const removed = await this.#open().run(
      "DELETE FROM turnwire.shared_slots WHERE pool = $1 AND slot_id = $2 RETURNING slot_id",
      [pool, slotId],
    );
    if (removed.length > 0) this.#onChanged(`slot/${pool}`);
  }

  /** Removes what has expired, which no one sees any more. */
  async prune(): Promise<void> {
    for (const table of ["shared_values", "shared_counts"]) {
      await this.#open().run(`DELETE FROM turnwire.${table} WHERE expires_at <= clock_timestamp()`);
    }
  }
}

type ValueRow = { value: string };
type CountRow = { count: number; reset_in_ms: number };

function valueFrom({ value }: ValueRow): string {
  return JSON.parse(value) as string;
}

/** NULL without a number of milliseconds. */
const expiry = "clock_timestamp() + $3::float8 * interval '1 millisecond'";

const insertValue = `INSERT INTO turnwire.shared_values AS known (key, value, expires_at)
  VALUES ($1, $2, ${expiry})
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;

const writeAlways = `${insertValue} RETURNING key`;

const writeUnlessThere = `${insertValue} WHERE known.expires_at <= clock_timestamp() RETURNING key`;

const writeIfSame = `UPDATE turnwire.shared_values SET value = $2, expires_at = ${expiry}
  WHERE key = $1 AND value = $4 AND (expires_at IS NULL OR expires_at > clock_timestamp())
  RETURNING key`;

const resetInMs =
  "greatest(0, extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS reset_in_ms";

const add = `INSERT INTO turnwire.shared_counts AS known (key, count, expires_at)
  VALUES ($1, $2, ${expiry})
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN known.expires_at > now() THEN known.count ELSE 0 END + excluded.count,
    expires_at = CASE WHEN known.expires_at > now() THEN known.expires_at ELSE excluded.expires_at END
  RETURNING count, ${resetInMs}`;

const removeDead = `DELETE FROM turnwire.shared_slots AS slot
  WHERE pool = $1 AND NOT EXISTS (
    SELECT FROM turnwire.holders AS known
    WHERE known.holder = slot.holder AND known.lives_until > clock_timestamp()
  )`;

/** Taken again by the same name it stays one: the answer to the first time may have been lost. */
const insertSlot = `INSERT INTO turnwire.shared_slots (pool, slot_id, holder)
  SELECT $1, $2, $3
  WHERE (SELECT count(*) FROM turnwire.shared_slots WHERE pool = $1 AND slot_id <> $2) < $4::bigint
  ON CONFLICT (pool, slot_id) DO UPDATE SET holder = excluded.holder
  RETURNING slot_id`;

import { Client } from "pg";
import { StoreError } from "../../store-error.ts";
import { connectionSettings } from "./database.ts";
import { storeErrorFrom } from "./failure.ts";
import { logTables } from "./log-table.ts";
import { transcriptTables } from "./transcript-table.ts";
import { valueTables } from "./value-table.ts";

/** A step of the schema. One that was released never changes; docs/decisions explains the rules. */
export interface Migration {
  readonly sql: string;
  /** Turnwires that know only earlier steps cannot use the database any more. */
  readonly isBreaking?: boolean;
}

/** Step 1 is the first. While hosts are replaced one by one, older ones use what newer ones have made. */
const migrations: readonly Migration[] = [
  { sql: logTables, isBreaking: true },
  { sql: transcriptTables },
  { sql: valueTables },
];

/** Any number, so that no two hosts migrate at once: "turnwire" as a phone has it. */
const LOCK = 88_769_473;

/** Brings the schema up to date, in one transaction; refuses one that this code cannot use. */
export async function migrate(url: string, steps = migrations): Promise<void> {
  // Without time limits: an index over many rows takes its time.
  const client = new Client({ ...connectionSettings(url), query_timeout: 0 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN");
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await checkEncoding(client);
    await bringUpToDate(client, steps);
    await client.query("COMMIT");
  } catch (error) {
    throw storeErrorFrom(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** In any other encoding an event would fail that has a character which is not in it. */
async function checkEncoding(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding === "UTF8") return;
  throw new StoreError(
    "unavailable",
    `the database has the encoding ${encoding}, and Turnwire needs UTF8: create it with createdb --encoding=UTF8 --template=template0`,
  );
}

async function bringUpToDate(client: Client, steps: readonly Migration[]): Promise<void> {
  const { version, needed } = await schemaOf(client);
  if (needed > steps.length) {
    throw new StoreError(
      "schema_too_new",
      `the database needs a Turnwire that knows schema ${needed}, this one knows up to ${steps.length}: start a newer Turnwire`,
    );
  }
  if (version === 0) {
    const { rows } = await client.query<{ isMade: boolean }>(
      `SELECT to_regnamespace('turnwire') IS NOT NULL AS "isMade"`,
    );
    // Not by IF NOT EXISTS, which needs the right to create schemas also where there is this one.
    if (!rows[0]?.isMade) await client.query("CREATE SCHEMA turnwire");
    await client.query(
      "CREATE TABLE turnwire.schema (version int PRIMARY KEY, is_breaking boolean NOT NULL, at timestamptz NOT NULL DEFAULT now())",
    );
  }
  for (const [index, { sql, isBreaking = false }] of steps.entries()) {
    if (index < version) continue;
    await client.query(sql);
    await client.query("INSERT INTO turnwire.schema (version, is_breaking) VALUES ($1, $2)", [
      index + 1,
      isBreaking,
    ]);
  }
}

/** The newest step of the database, and the newest that everybody who uses it must know; 0 where it is empty. */
async function schemaOf(client: Client): Promise<{ version: number; needed: number }> {
  const { rows: found } = await client.query<{ schema: string | null }>(
    "SELECT to_regclass('turnwire.schema')::text AS schema",
  );
  if (found[0]?.schema == null) return { version: 0, needed: 0 };
  const { rows } = await client.query<{ version: number | null; needed: number | null }>(
    "SELECT max(version) AS version, max(version) FILTER (WHERE is_breaking) AS needed FROM turnwire.schema",
  );
  return { version: rows[0]?.version ?? 0, needed: rows[0]?.needed ?? 0 };
}

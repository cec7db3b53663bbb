import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore, startLocalPostgres } from "@turnwire/log/postgres";
import { Client } from "pg";
import type { SqlRow, SqlValue, Statements } from "../packages/log/src/store/postgres/database.ts";
import { readPages } from "../packages/log/src/store/postgres/event-table.ts";
import { listOrphans } from "../packages/log/src/store/postgres/holder-table.ts";
import { listSessions, readHeads } from "../packages/log/src/store/postgres/session-table.ts";

/**
 * Shows how Postgres carries out what hosts ask most, as the log grows: `tsx
 * --conditions=@turnwire/source bench/postgres-plans.ts [millions]`. What is read stays the same, so
 * pages and time per statement must too.
 */
const SESSION_EVENTS = 500;
const STEPS = 4;
const millions = Number(process.argv[2] ?? 2);

interface Plan {
  readonly milliseconds: number;
  readonly pages: number;
  readonly lines: readonly string[];
}

/** Runs each statement once to warm up, then explains it. */
class ExplainedStatements implements Statements {
  readonly plans: Plan[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async run<Row extends SqlRow>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>(text, [...values]);
    const explained = await this.#client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ${text}`,
      [...values],
    );
    const lines = explained.rows.map((row) => row["QUERY PLAN"]);
    const all = lines.join("\n");
    const [, hit = "0"] = /shared hit=(\d+)/.exec(all) ?? [];
    const [, read = "0"] = /shared(?: hit=\d+)? read=(\d+)/.exec(all) ?? [];
    const [, time = "0"] = /Execution Time: ([\d.]+)/.exec(all) ?? [];
    this.plans.push({ milliseconds: Number(time), pages: Number(hit) + Number(read), lines });
    return rows;
  }
}

/** Adds sessions with their logs; one in a thousand works, and its holder lives. */
async function grow(client: Client, from: number, to: number): Promise<void> {
  await client.query(
    `INSERT INTO turnwire.heads (session_id, generation, holder, head)
     SELECT 's' || n, 1, CASE WHEN n % 1000 = 0 THEN 'alive' END, ${SESSION_EVENTS}
     FROM generate_series($1::int, $2::int - 1) AS n`,
    [from, to],
  );
  await client.query(
    `INSERT INTO turnwire.sessions
     SELECT session_key, session_id, '"owner' || session_key % 100 || '"', 'e',
       CASE WHEN holder IS NULL THEN 'hibernated' ELSE 'live' END,
       CASE WHEN holder IS NULL THEN 'idle' ELSE 'working' END,
       to_char(timestamp '2026-01-01' + session_key * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       false, NULL, '{"owner":"o","runtime":"demo","options":{},"cwd":"/","createdAt":"x"}', '{}'
     FROM turnwire.heads WHERE substring(session_id FROM 2)::int BETWEEN $1 AND $2 - 1`,
    [from, to],
  );
  await client.query(
    `INSERT INTO turnwire.events
     SELECT h.session_key, seq, 'delta', '{"seq":' || seq || ',"text":"' || repeat('x', 180) || '"}', 0
     FROM turnwire.heads AS h, generate_series(1, ${SESSION_EVENTS}) AS seq
     WHERE substring(h.session_id FROM 2)::int BETWEEN $1 AND $2 - 1`,
    [from, to],
  );
  await client.query("ANALYZE turnwire.events, turnwire.heads, turnwire.sessions");
}

const questions = {
  "read 100 events": (statements: Statements, newest: number) =>
    readPages(statements, [
      { sessionId: `s${newest}`, after: 200, count: 100, bytes: 1e9, isFirst: true },
    ]),
  "list 50 sessions of an owner": (statements: Statements) =>
    listSessions(statements, { owner: "owner7", limit: 50 }),
  "heads of 1,000 followed sessions": (statements: Statements, newest: number) =>
    readHeads(
      statements,
      Array.from({ length: 1000 }, (_, index) => `s${Math.floor((index * newest) / 1000)}`),
    ),
  "look for orphans": (statements: Statements) => listOrphans(statements, { limit: 10 }),
};

async function measure(client: Client, newest: number) {
  const found: { readonly name: string; readonly plan: Plan }[] = [];
  for (const [name, ask] of Object.entries(questions)) {
    const statements = new ExplainedStatements(client);
    await ask(statements, newest);
    const [plan] = statements.plans;
    if (plan) found.push({ name, plan });
  }
  return found;
}

/** How long appends of ten events take, and how many of their updates stay on the page. */
async function measureAppends(url: string, client: Client): Promise<string> {
  const store = await openPostgresStore({ url });
  const sessionId = `s9${Date.now() % 1e8}`;
  const at = new Date().toISOString();
  const record = { sessionId, owner: "o", epoch: "e", runtime: "demo", options: {}, cwd: "/" };
  const state = { status: "live", activity: "idle", createdAt: at, updatedAt: at } as const;
  const place = { ...record, ...state, head: 0, trimmed: 0 };
  const { generation } = await store.createSession(place, "alive", 600_000);
  const times: number[] = [];
  for (let batch = 0; batch < 300; batch += 1) {
    const events = Array.from({ length: 10 }, (_, index) => {
      const seq = batch * 10 + index + 1;
      return { seq, type: "delta", json: JSON.stringify({ seq, text: "x".repeat(180) }) };
    });
    const start = performance.now();
    await store.append({ sessionId, generation, events });
    times.push(performance.now() - start);
  }
  await store.close();
  times.sort((left, right) => left - right);
  await client.query("SELECT pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ all: string; hot: string }>(
    `SELECT n_tup_upd AS all, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'heads'`,
  );
  const [{ all, hot } = { all: "0", hot: "0" }] = rows;
  const [median, late] = [times[150] ?? 0, times[297] ?? 0];
  return `append 10 events: p50 ${median.toFixed(2)} ms, p99 ${late.toFixed(2)} ms; ${hot} of ${all} head updates HOT`;
}

async function sizes(client: Client): Promise<string> {
  const { rows } = await client.query<{ rows: string; table: string; index: string }>(
    `SELECT sum(c.reltuples)::bigint AS rows, pg_size_pretty(sum(pg_table_size(c.oid))) AS table,
       pg_size_pretty(sum(pg_indexes_size(c.oid))) AS index
     FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'turnwire.events'::regclass`,
  );
  const [{ rows: count, table, index } = { rows: "0", table: "0", index: "0" }] = rows;
  return `${Number(count).toLocaleString("en")} events: ${table} of rows, ${index} of index in 16 parts`;
}

const parent = await mkdtemp(join(tmpdir(), "turnwire-plans-"));
await chmod(parent, 0o711);
const settings = { fsync: "off", full_page_writes: "off", max_wal_size: "4GB", jit: "off" };
const postgres = await startLocalPostgres({ directory: join(parent, "data"), settings });
const url = postgres.url("postgres");
const client = new Client({ connectionString: url });
try {
  await (await openPostgresStore({ url })).close();
  await client.connect();
  await client.query(
    "INSERT INTO turnwire.holders VALUES ('alive', now() + interval '1 day', now())",
  );
  const perStep = (millions * 1e6) / SESSION_EVENTS / STEPS;
  for (let step = 1; step <= STEPS; step += 1) {
    await grow(client, Math.round((step - 1) * perStep), Math.round(step * perStep));
    console.log(`\n${await sizes(client)}`);
    const found = await measure(client, Math.round(step * perStep) - 1);
    for (const { name, plan } of found) {
      console.log(`  ${name}: ${plan.pages} pages, ${plan.milliseconds} ms`);
      if (step === STEPS)
        console.log(plan.lines.map((line) => `      ${line.slice(0, 160)}`).join("\n"));
    }
    console.log(`  ${await measureAppends(url, client)}`);
  }
} finally {
  await client.end();
  await postgres.close();
  await rm(parent, { recursive: true, force: true });
}

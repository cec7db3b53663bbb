import { setTimeout } from "node:timers/promises";
import { openPostgresStore } from "@turnwire/log/postgres";
import { Client } from "pg";
import { median, round, type Row } from "../report.ts";
import { readersOf } from "./delivery.ts";
import { BenchHost } from "./host-process.ts";
import { token } from "./message.ts";
import type { PostgresUse } from "./postgres-use.ts";

/** Often enough for a median. */
const ASKED = 9;
const eventsEach = 20;

/** Copies of one real session at rest, as most are; resolves with their ids. */
export async function fillStore(url: string, root: string, sessions: number): Promise<string[]> {
  const host = await BenchHost.start(url, root);
  const [model] = await host.create(1);
  await host.emit(eventsEach - 1);
  await host.close();
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ session_id: string }>(
      `INSERT INTO turnwire.heads (session_id, generation, head)
       SELECT 'known-' || n, 1, m.head
       FROM turnwire.heads AS m, generate_series(1, $2::int) AS n WHERE m.session_id = $1
       RETURNING session_id`,
      [model, sessions],
    );
    await client.query(
      `INSERT INTO turnwire.sessions
       SELECT h.session_key, h.session_id, m.owner, m.epoch, 'hibernated', 'idle', m.updated_at,
         m.is_partial, m.storage, m.origin, m.facts
       FROM turnwire.sessions AS m, turnwire.heads AS h
       WHERE m.session_id = $1 AND h.session_id LIKE 'known-%'`,
      [model],
    );
    await client.query(
      `INSERT INTO turnwire.events
       SELECT h.session_key, e.seq, e.type, e.json, e.crc
       FROM turnwire.heads AS m JOIN turnwire.events AS e USING (session_key), turnwire.heads AS h
       WHERE m.session_id = $1 AND h.session_id LIKE 'known-%'`,
      [model],
    );
    await client.query("ANALYZE");
    return rows.map(({ session_id: sessionId }) => sessionId);
  } finally {
    await client.end();
  }
}

/** The cost of knowing the sessions of a store: starting, listing, opening, looking for orphans. */
export async function measureKnown(
  { url, root, postgres }: Place,
  ids: readonly string[],
  idleSeconds: number,
): Promise<Row> {
  const host = await BenchHost.start(url, root);
  const idle = await measureIdle(host, postgres, idleSeconds);
  const listMs = await timeOf(() => ask(host, "/sessions?limit=100"));
  const openMs =
    ids.length === 0 ? "" : await timeOf((index) => ask(host, `/sessions/${ids[index] ?? ""}`));
  await host.close();
  const store = await openPostgresStore({ url });
  const sweepMs = await timeOf(() => store.listOrphans({ limit: 100 }));
  await store.close();
  return {
    "sessions in the store": ids.length,
    "start, ms": round(host.startMs, 0),
    "first page of the list, ms": listMs,
    "one opened, ms": openMs,
    "look for orphans, ms": sweepMs,
    ...idle,
  };
}

interface Place {
  readonly url: string;
  readonly root: string;
  readonly postgres: PostgresUse;
}

/** The consumption of an idle host. */
export async function measureIdle(
  host: BenchHost,
  postgres: PostgresUse,
  seconds: number,
): Promise<Row> {
  const { megabytes } = await host.measure(true);
  const [before, serverBefore] = await Promise.all([host.measure(), postgres.measure()]);
  await setTimeout(seconds * 1000);
  const [after, serverAfter] = await Promise.all([host.measure(), postgres.measure()]);
  const percent = (cpuMs: number): number => round(cpuMs / (10 * seconds), 1);
  return {
    "memory, MB": round(megabytes, 1),
    "host CPU at rest, %": percent(after.cpuMs - before.cpuMs),
    "Postgres CPU at rest, %": percent((serverAfter.cpuMs ?? NaN) - (serverBefore.cpuMs ?? NaN)),
    "commits/s at rest": round((serverAfter.commits - serverBefore.commits) / seconds, 1),
  };
}

/** The same while each of these sessions, which another host holds, has a reader; and how soon readers get an event of each. */
export async function measureFollowing(
  { owner, follower, postgres }: Followed,
  ids: readonly string[],
  idleSeconds: number,
): Promise<{ readonly idle: Row; readonly p50Ms: number; readonly p99Ms: number }> {
  const eventsPerSession = 3;
  const lastSeq = 1 + eventsPerSession;
  const readers = await readersOf(ids, { port: follower.port, lastSeq });
  const idle = await measureIdle(follower, postgres, idleSeconds);
  const [outcome] = await Promise.all([readers.done(), owner.emit(eventsPerSession, idleSeconds)]);
  await readers.disconnect();
  await readers.stop();
  const { p50Ms = NaN, p99Ms = NaN } = outcome.latency ?? {};
  return { idle, p50Ms, p99Ms };
}

interface Followed {
  readonly owner: BenchHost;
  readonly follower: BenchHost;
  readonly postgres: PostgresUse;
}

async function timeOf(work: (index: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < ASKED; index += 1) {
    const startedAtMs = performance.now();
    await work(index);
    times.push(performance.now() - startedAtMs);
  }
  return round(median(times), 1);
}

async function ask(host: BenchHost, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${host.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import type { Store } from "../../store.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { startForgetfulProxy } from "./test-support/forgetful-proxy.ts";

const MINUTE = 60_000;

async function open(sessions: number) {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const client = new Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  return { client, ...(await openAt(database.url, sessions)) };
}

async function openAt(url: string, sessions: number) {
  const store = await openPostgresStore({ url, patienceMs: MINUTE });
  onTestFinished(() => store.close());
  const ids = Array.from({ length: sessions }, (_, index) => `s${index}`);
  const leases = await Promise.all(
    ids.map((sessionId) => store.createSession(recordOf(sessionId), "host", MINUTE)),
  );
  const append = (index: number, first: number, last = first, generation?: number) =>
    store.append({
      sessionId: `s${index}`,
      generation: generation ?? leases[index]?.generation ?? 0,
      events: eventsFrom(first, last),
    });
  return { store, ids, append };
}

async function logsOf(store: Store, ids: readonly string[]): Promise<number[][]> {
  const logs = await Promise.all(ids.map((sessionId) => store.read(sessionId, 0, 1000)));
  return logs.map((events) => events.map(({ seq }) => seq));
}

test("appends to many sessions at once take few commits, and each session has its own events", async () => {
  const { store, client, ids, append } = await open(50);
  await Promise.all(ids.map((_, index) => append(index, 1, (index % 3) + 1)));
  const { rows } = await client.query<{ commits: string }>(
    "SELECT count(DISTINCT xmin::text) AS commits FROM turnwire.events",
  );
  expect(Number(rows[0]?.commits)).toBeLessThan(5);
  expect(await logsOf(store, ids)).toEqual(
    ids.map((_, index) => [1, 2, 3].slice(0, (index % 3) + 1)),
  );
  const stored = await Promise.all(ids.map((sessionId) => store.read(sessionId, 0, 1)));
  expect(stored).toEqual(ids.map(() => eventsFrom(1, 1)));
});

test("of appends that go together only those are refused that must be", async () => {
  const { store, client, ids, append } = await open(6);
  const late = await store.createSession(recordOf("late"), "late host", MINUTE);
  await client.query("UPDATE turnwire.holders SET lives_until = now() WHERE holder = 'late host'");
  const appendTo = (sessionId: string, generation: number) =>
    store.append({ sessionId, generation, events: eventsFrom(1, 1) });
  const outcomes = await Promise.allSettled([
    append(0, 1),
    append(1, 1, 1, 999),
    append(2, 5),
    append(3, 1, 4),
    appendTo("unknown", 1),
    appendTo("late", late.generation),
    append(5, 1),
  ]);
  const codes = outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? "stored" : outcome.reason.code,
  );
  expect(codes).toEqual([
    "stored",
    "lease_lost",
    "not_contiguous",
    "stored",
    "session_unknown",
    "lease_lost",
    "stored",
  ]);
  expect(await logsOf(store, [...ids, "late"])).toEqual([[1], [], [], [1, 2, 3, 4], [], [1], []]);
});

test("a session in whose place something is stored already does not keep the others from being written", async () => {
  const { store, client, ids, append } = await open(4);
  await client.query(
    `INSERT INTO turnwire.events SELECT session_key, 1, 'delta', '{}', 0
     FROM turnwire.heads WHERE session_id = 's2'`,
  );
  const outcomes = await Promise.allSettled(ids.map((_, index) => append(index, 1, 2)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(await logsOf(store, ["s0", "s1", "s3"])).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
});

test("reads that go together have each its own page, and an unknown session refuses only itself", async () => {
  const { store, ids, append } = await open(5);
  await Promise.all(ids.map((_, index) => append(index, 1, 10)));
  const [first, after, none, bytes, unknown] = await Promise.allSettled([
    store.read("s0", 0, 3),
    store.read("s1", 7, 100),
    store.read("s2", 10, 100),
    store.read("s3", 2, 100, 1),
    store.read("unknown", 0, 100),
  ]);
  const seqs = [first, after, none, bytes].map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value.map(({ seq }) => seq) : outcome.reason,
  );
  expect(seqs).toEqual([[1, 2, 3], [8, 9, 10], [], [3]]);
  expect(unknown).toMatchObject({ status: "rejected", reason: { code: "session_unknown" } });
});

test("appends that were stored together and whose answer was lost are found, not refused", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const proxy = await startForgetfulProxy(database.url, "INSERT INTO turnwire.events");
  onTestFinished(() => proxy.close());
  const { store, ids, append } = await openAt(proxy.url, 3);
  await Promise.all(ids.map((_, index) => append(index, 1, 2)));
  expect(proxy.lost()).toBe(1);
  expect(await logsOf(store, ids)).toEqual(ids.map(() => [1, 2]));
});

import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { startTestPostgres } from "../../../../../test/support/postgres.ts";
import type { Store, StoredEvent } from "../../store.ts";
import { StoreError } from "../../store-error.ts";
import type { StoreHint } from "../../store-hint.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { startForgetfulProxy } from "./test-support/forgetful-proxy.ts";

const MINUTE = 60_000;

/** A server of its own, to be stopped. */
async function startServer() {
  const postgres = await startTestPostgres();
  onTestFinished(() => postgres.close());
  return postgres;
}

async function emptyDatabase(): Promise<string> {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  return database.url;
}

async function open(url: string, patienceMs: number): Promise<Store> {
  const store = await openPostgresStore({ url, patienceMs });
  onTestFinished(() => store.close());
  return store;
}

/** A session whose writer appends one event after the other until it is stopped. */
class Writer {
  acknowledged = 0;
  readonly #store: Store;
  readonly #sessionId: string;
  #isStopped = false;

  constructor(store: Store, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  async run(): Promise<void> {
    const sessionId = this.#sessionId;
    const { generation } = await this.#store.createSession(recordOf(sessionId), "a", 10 * MINUTE);
    while (!this.#isStopped) {
      const seq = this.acknowledged + 1;
      const inputs = [{ clientMessageId: `c${seq}`, seq, digest: "d" }];
      await this.#store.append({ sessionId, generation, events: eventsFrom(seq, seq), inputs });
      this.acknowledged = seq;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}

/** Reads a log on another store as it grows, each time from where it was. */
async function follow(store: Store, sessionId: string, isDone: (seen: number) => boolean) {
  const seen: StoredEvent[] = [];
  while (!isDone(seen.length)) {
    seen.push(...(await store.read(sessionId, seen.length, 100)));
    await new Promise(setImmediate);
  }
  return seen;
}

test("a restart and a crash of Postgres under load: writers wait, readers continue, nothing is lost or doubled", async () => {
  const postgres = await startServer();
  const url = postgres.url("postgres");
  const [host, other] = [await open(url, MINUTE), await open(url, MINUTE)];
  const hints: StoreHint[] = [];
  other.watch((hint) => hints.push(hint));
  const ids = ["one", "two", "three", "four"];
  const writers = ids.map((sessionId) => new Writer(host, sessionId));
  const writing = Promise.all(writers.map((writer) => writer.run()));
  const grownBy = async (count: number) => {
    const wanted = writers.map((writer) => writer.acknowledged + count);
    await expect
      .poll(() => writers.every((writer, index) => writer.acknowledged >= (wanted[index] ?? 0)))
      .toBe(true);
  };
  await grownBy(3);
  let isStopped = false;
  const following = Promise.all(
    ids.map((sessionId, index) =>
      follow(other, sessionId, (seen) => isStopped && seen >= (writers[index]?.acknowledged ?? 0)),
    ),
  );
  for (const mode of ["fast", "immediate"] as const) {
    await postgres.stop(mode);
    await postgres.start();
    await grownBy(5);
  }
  for (const writer of writers) writer.stop();
  await writing;
  isStopped = true;
  const seen = await following;
  for (const [index, sessionId] of ids.entries()) {
    const { acknowledged = 0 } = writers[index] ?? {};
    const stored = eventsFrom(1, acknowledged);
    expect(await host.read(sessionId, 0, 100_000)).toStrictEqual(stored);
    expect(seen[index]).toStrictEqual(stored);
    expect(await other.findInput(sessionId, `c${acknowledged}`)).toMatchObject({
      seq: acknowledged,
    });
  }
  await expect.poll(() => hints.filter(({ type }) => type === "gap").length).toBeGreaterThan(0);
});

test("while Postgres is away everything fails as unavailable, soon and with a reason; then it works again", async () => {
  const postgres = await startServer();
  const store = await open(postgres.url("postgres"), 200);
  const { generation } = await store.createSession(recordOf("one"), "a", 10 * MINUTE);
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 2) });
  await postgres.stop();
  const failures = await Promise.allSettled([
    store.append({ sessionId: "one", generation, events: eventsFrom(3, 3) }),
    store.read("one", 0, 10),
    store.renewHolder("a", MINUTE),
    store.listOrphans({ limit: 10 }),
    store.putInboxEntry("one", "{}"),
    store.values.readValue("key").then(() => store.getSession("one")),
  ]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  }
  const health = await store.health();
  expect(health).toMatchObject({ isWritable: false });
  // Anybody may ask for it.
  expect(health.reason).toMatch(
    /^the Postgres server (does not answer|was stopped|is starting up)/,
  );
  expect(health.reason).not.toContain("/");
  await postgres.start();
  const retried = async () => {
    const work = store.append({ sessionId: "one", generation, events: eventsFrom(3, 3) });
    return work.then(
      () => "stored",
      (error: unknown) => (error instanceof StoreError ? error.code : "other"),
    );
  };
  await expect.poll(retried).toBe("stored");
  expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 3));
  expect((await store.health()).isWritable).toBe(true);
});

test("an append that was stored and whose answer was lost is found, not refused", async () => {
  const url = await emptyDatabase();
  const proxy = await startForgetfulProxy(url, "INSERT INTO turnwire.events");
  onTestFinished(() => proxy.close());
  const store = await open(proxy.url, MINUTE);
  const { generation } = await store.createSession(recordOf("one"), "a", 10 * MINUTE);
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 2) });
  expect(proxy.lost()).toBe(1);
  expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 2));
});

test("a session that was made in the place of a deleted one and whose answer was lost is found", async () => {
  const url = await emptyDatabase();
  const proxy = await startForgetfulProxy(url);
  onTestFinished(() => proxy.close());
  const host = await open(url, MINUTE);
  for (const statement of ["'deleted/'", "COMMIT"]) {
    // With connections that have not prepared the statement: its text would not be sent again.
    const store = await open(proxy.url, MINUTE);
    const deleted = await host.createSession(recordOf("one"), "a", 10 * MINUTE);
    await host.deleteSession("one", deleted.generation);
    proxy.lose(statement);
    const { generation } = await store.createSession(recordOf("one"), "a", 10 * MINUTE);
    await store.append({ sessionId: "one", generation, events: eventsFrom(1, 1) });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 1));
    await host.deleteSession("one", generation);
  }
  expect(proxy.lost()).toBe(2);
});

test("lines of a transcript whose answer was lost are stored once, whether they have ids or not", async () => {
  const url = await emptyDatabase();
  const proxy = await startForgetfulProxy(url);
  onTestFinished(() => proxy.close());
  const store = await open(proxy.url, MINUTE);
  const { generation } = await store.createSession(recordOf("one"), "a", 10 * MINUTE);
  const lease = { sessionId: "one", generation };
  const key = { conversation: "c" };
  const lines = [{ id: "1", text: "one" }, { text: "two" }];
  proxy.lose("COMMIT");
  await store.transcripts?.appendTranscript(key, lease, lines);
  expect(proxy.lost()).toBe(1);
  expect(await store.transcripts?.loadTranscript(key)).toEqual(lines);
  await store.transcripts?.appendTranscript(key, lease, [{ text: "two" }]);
  expect(await store.transcripts?.loadTranscript(key)).toEqual([...lines, { text: "two" }]);
});

test("connections that end at any moment neither lose nor double an append", async () => {
  const url = await emptyDatabase();
  const store = await open(url, MINUTE);
  const killer = await open(url, MINUTE);
  const { generation } = await store.createSession(recordOf("one"), "a", 10 * MINUTE);
  // Connections are ended at any moment of an append, before and after its commit.
  const done = new AbortController();
  const ending = (async () => {
    while (!done.signal.aborted) await endConnections(url);
  })();
  for (let seq = 1; seq <= 150; seq += 1) {
    await store.append({ sessionId: "one", generation, events: eventsFrom(seq, seq) });
  }
  done.abort();
  await ending;
  expect(await killer.read("one", 0, 1000)).toStrictEqual(eventsFrom(1, 150));
});

/** Ends what all other connections are doing, as a broken network would. */
async function endConnections(url: string): Promise<void> {
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'turnwire' AND datname = current_database()`,
  );
}

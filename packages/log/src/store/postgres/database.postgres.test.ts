import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { Database } from "./database.ts";
import { startHoldingProxy } from "./test-support/holding-proxy.ts";

test("work that waits long for a connection is done as long as the database answers others", async () => {
  const made = await newDatabase();
  onTestFinished(() => made.remove());
  const database = new Database({ url: made.url, connections: 1, patienceMs: 5000 });
  onTestFinished(() => database.close());
  // Together longer than any of them would wait for a database that answers no one.
  const work = Array.from({ length: 32 }, (_, index) =>
    database.run("SELECT $1::int AS index FROM pg_sleep(0.25)", [index]),
  );
  const done = await Promise.all(work);
  expect(done.map(([row]) => row)).toEqual(done.map((_, index) => ({ index })));
});

test("the server limits how long a statement and a forgotten transaction take", async () => {
  const made = await newDatabase();
  onTestFinished(() => made.remove());
  const database = new Database({ url: made.url, connections: 1, patienceMs: 5000 });
  onTestFinished(() => database.close());
  expect(await database.run("SHOW statement_timeout")).toEqual([{ statement_timeout: "9s" }]);
  expect(await database.run("SHOW idle_in_transaction_session_timeout")).toEqual([
    { idle_in_transaction_session_timeout: "2s" },
  ]);
});

test("of connections that were cut off unnoticed, only those in use are waited for", async () => {
  const made = await newDatabase();
  onTestFinished(() => made.remove());
  const proxy = await startHoldingProxy(made.url);
  onTestFinished(() => proxy.close());
  const database = new Database({ url: proxy.url, connections: 5, patienceMs: 100 });
  onTestFinished(() => database.close());
  await Promise.all(Array.from({ length: 5 }, () => database.run("SELECT pg_sleep(0.1)")));
  expect(proxy.connections()).toBe(5);
  proxy.lose();
  await expect(database.run("SELECT 1 AS one")).rejects.toMatchObject({ code: "unavailable" });
  const rows = await Promise.all(Array.from({ length: 5 }, () => database.run("SELECT 1 AS one")));
  expect(rows).toEqual(rows.map(() => [{ one: 1 }]));
});

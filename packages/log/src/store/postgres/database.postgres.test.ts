import { describe, expect, test, type TestContext } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { Database } from "./database.ts";
import { startHoldingProxy } from "./test-support/holding-proxy.ts";

async function emptyDatabase(onTestFinished: TestContext["onTestFinished"]): Promise<string> {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  return database.url;
}

// Two of them only wait: for their turn, and for a connection that no longer answers.
describe.concurrent("a pool of connections", () => {
  test("work that waits long for a connection is done as long as the database answers others", async ({
    onTestFinished,
  }) => {
    const url = await emptyDatabase(onTestFinished);
    const database = new Database({ url, connections: 1, patienceMs: 5000 });
    onTestFinished(() => database.close());
    // Together longer than any of them would wait for a database that answers no one.
    const work = Array.from({ length: 32 }, (_, index) =>
      database.run("SELECT $1::int AS index FROM pg_sleep(0.25)", [index]),
    );
    const done = await Promise.all(work);
    expect(done.map(([row]) => row)).toEqual(done.map((_, index) => ({ index })));
  });

  test("the server limits how long a statement and a forgotten transaction take", async ({
    onTestFinished,
  }) => {
    const url = await emptyDatabase(onTestFinished);
    const database = new Database({ url, connections: 1, patienceMs: 5000 });
    onTestFinished(() => database.close());
    expect(await database.run("SHOW statement_timeout")).toEqual([{ statement_timeout: "9s" }]);
    expect(await database.run("SHOW idle_in_transaction_session_timeout")).toEqual([
      { idle_in_transaction_session_timeout: "2s" },
    ]);
  });

  test("of connections that were cut off unnoticed, only those in use are waited for", async ({
    onTestFinished,
  }) => {
    const url = await emptyDatabase(onTestFinished);
    const proxy = await startHoldingProxy(url);
    onTestFinished(() => proxy.close());
    const database = new Database({ url: proxy.url, connections: 5, patienceMs: 9000 });
    onTestFinished(() => database.close());
    await Promise.all(Array.from({ length: 5 }, () => database.run("SELECT pg_sleep(0.1)")));
    expect(proxy.connections()).toBe(5);
    proxy.lose();
    await expect(database.run("SELECT 1 AS one")).rejects.toMatchObject({ code: "unavailable" });
    const rows = await Promise.all(
      Array.from({ length: 5 }, () => database.run("SELECT 1 AS one")),
    );
    expect(rows).toEqual(rows.map(() => [{ one: 1 }]));
  });
});

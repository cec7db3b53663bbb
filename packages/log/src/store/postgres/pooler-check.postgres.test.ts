import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { startPooler } from "./test-support/pooler.ts";

async function poolerOf(mode: "session" | "transaction"): Promise<string> {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const pooler = await startPooler(database.url, mode);
  onTestFinished(() => pooler.close());
  return pooler.url;
}

test("a pooler in transaction mode is refused, with what to do", async () => {
  const url = await poolerOf("transaction");
  const work = openPostgresStore({ url });
  await expect(work).rejects.toMatchObject({ code: "unavailable" });
  await expect(work).rejects.toThrow(/pooler in transaction mode.*session mode/);
});

test("a pooler in session mode will do", async () => {
  const url = await poolerOf("session");
  const store = await openPostgresStore({ url, connections: 2 });
  expect(await store.listSessions({ limit: 1 })).toEqual([]);
  await store.close();
});

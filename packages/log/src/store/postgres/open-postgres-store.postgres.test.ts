import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const ttlMs = 600_000;

test("a store that no other process has forgets who held leases when it opens, and refuses what they still write", async () => {
  const database = await newDatabase();
  const { url } = database;
  onTestFinished(() => database.remove());
  const open = async (isPrivate: boolean) => {
    const store = await openPostgresStore({ url, isPrivate });
    onTestFinished(() => store.close());
    return store;
  };
  const killed = await open(true);
  const { generation } = await killed.createSession(recordOf("s"), "killed", ttlMs);
  await killed.append({ sessionId: "s", generation, events: eventsFrom(1, 1) });

  const shared = await open(false);
  const request = { sessionId: "s", holder: "next", ttlMs };
  expect(await shared.acquireLease(request)).toBeUndefined();

  const next = await open(true);
  expect(await next.listHosts()).toEqual([]);
  const late = killed.append({ sessionId: "s", generation, events: eventsFrom(2, 2) });
  await expect(late).rejects.toMatchObject({ code: "lease_lost" });
  const lease = await next.acquireLease(request);
  expect(lease?.generation).toBeGreaterThan(generation);
  expect(lease?.record.head).toBe(1);
});

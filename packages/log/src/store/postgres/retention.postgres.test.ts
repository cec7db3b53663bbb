import { initialState } from "@turnwire/protocol";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const MINUTE = 60_000;

async function open() {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  const { generation } = await store.createSession(recordOf("one"), "host", MINUTE);
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 10) });
  return { url: database.url, store, generation };
}

test("an id is free for a new session however long it takes to purge the deleted one", async () => {
  const { url, store, generation } = await open();
  await store.deleteSession("one", generation);
  const other = new Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("BEGIN");
  await other.query("SELECT FROM turnwire.events FOR UPDATE");
  const lease = await store.createSession(recordOf("one"), "host", MINUTE);
  await store.append({ sessionId: "one", generation: lease.generation, events: eventsFrom(1, 1) });
  expect(await store.read("one", 0, 100)).toEqual(eventsFrom(1, 1));
  await other.query("COMMIT");
  await store.purgeDeleted(0);
  expect(await query(url, "SELECT count(*)::int AS count FROM turnwire.events")).toEqual([
    { count: 1 },
  ]);
  expect(await store.read("one", 0, 100)).toEqual(eventsFrom(1, 1));
});

test("a session whose record is damaged can be removed", async () => {
  const { url, store, generation } = await open();
  await store.releaseLease("one", generation);
  await query(url, "UPDATE turnwire.sessions SET owner = 'not JSON', origin = '{'");
  await store.removeSession("one");
  expect(await store.listSessions({ limit: 10 })).toEqual([]);
  expect(await query(url, "SELECT FROM turnwire.events")).toEqual([]);
});

test("retention removes everything up to its base, also beyond events that are missing", async () => {
  const { url, store, generation } = await open();
  await query(
    url,
    `UPDATE turnwire.events SET seq = seq + 10000 WHERE seq > 5;
    UPDATE turnwire.heads SET head = 10010`,
  );
  const base = { seq: 10_008, state: initialState() };
  await store.trim("one", generation, base);
  expect(await query(url, "SELECT seq::int FROM turnwire.events ORDER BY seq")).toEqual([
    { seq: 10_009 },
    { seq: 10_010 },
  ]);
});

import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const MINUTE = 60_000;

test("a host renews its leases while everything else waits for a connection", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const { url } = database;
  const store = await openPostgresStore({ url, connections: 2 });
  onTestFinished(() => store.close());
  const other = new Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  const ids = ["one", "two", "three"];
  const leases = await Promise.all(
    ids.map((sessionId) => store.createSession(recordOf(sessionId), "host", MINUTE)),
  );
  await other.query("BEGIN");
  await other.query("SELECT FROM turnwire.heads FOR UPDATE");
  const released = leases.map(({ generation, record: { sessionId } }) =>
    store.releaseLease(sessionId, generation),
  );
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(2);
  expect(await store.renewHolder("host", MINUTE)).toBe(true);
  await other.query("COMMIT");
  await Promise.all(released);
});

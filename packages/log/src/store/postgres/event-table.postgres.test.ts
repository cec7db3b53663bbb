import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { recordOf } from "../../test-support/session.ts";
import { Database, type SqlRow, type SqlValue, type Statements } from "./database.ts";
import { findWholePart } from "./event-table.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const LENGTH = 250_000;

/** A session with more events than one statement may count, and a store of another process. */
async function longLog() {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const { url } = database;
  const open = async () => {
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  const { generation } = await store.createSession(recordOf("long"), "host", 60_000);
  await query(
    url,
    `INSERT INTO turnwire.events SELECT session_key, seq, 'delta', '{}', 0
      FROM turnwire.heads, generate_series(1, ${LENGTH}) AS seq;
    UPDATE turnwire.heads SET head = ${LENGTH}`,
  );
  await store.releaseLease("long", generation);
  const request = { sessionId: "long", holder: "next", ttlMs: 60_000 };
  return { url, acquire: async () => (await open()).acquireLease(request) };
}

test("however long a log is, no statement counts more of it than it has time for", async () => {
  const { url, acquire } = await longLog();
  const database = new Database({ url, connections: 1, patienceMs: 5000 });
  onTestFinished(() => database.close());
  const counts: unknown[] = [];
  const counted: Statements = {
    async run<Row extends SqlRow>(text: string, values?: readonly SqlValue[]) {
      const rows = await database.run<Row>(text, values);
      counts.push(...rows.map((row) => row["found"]));
      return rows;
    },
  };
  const head = { session_key: 1, head: LENGTH, trimmed: 0 };
  expect(await findWholePart(counted, head)).toBe(200_000);
  expect(counts).toEqual([100_000, 100_000]);
  expect((await acquire())?.record.head).toBe(LENGTH);
});

test("an event that is missing anywhere in a long log is found, and a lost tail is cut off", async () => {
  const { url, acquire } = await longLog();
  await query(url, `DELETE FROM turnwire.events WHERE seq > ${LENGTH - 120_000}`);
  expect((await acquire())?.record.head).toBe(LENGTH - 120_000);
  await query(url, "UPDATE turnwire.heads SET holder = NULL");
  await query(url, "DELETE FROM turnwire.events WHERE seq IN (5000, 120000)");
  await expect(acquire()).rejects.toMatchObject({
    code: "damaged",
    range: { first: 5000, last: 5000 },
  });
});

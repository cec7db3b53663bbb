import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

test("a message whose words are longer than Postgres can index is found by its beginning, and can be dumped", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const { url } = database;
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const { generation } = await store.createSession(recordOf("one"), "host", 60_000);
  // The sign for kilometre, of which one becomes six letters of three bytes each.
  const words = Array.from({ length: 1150 }, (_, index) => `${index}a${"\u3316".repeat(80)}`);
  const data = { message_id: "m", content: [{ type: "text", text: words.join(" ") }] };
  const json = JSON.stringify({ seq: 1, type: "user_message", data });
  const events = [{ seq: 1, type: "user_message", json }];
  await store.append({ sessionId: "one", generation, events });
  expect((await store.search?.({ text: "0a", limit: 1 }))?.hits).toHaveLength(1);
  const read = query(url, 'SELECT octet_length(words::text) > 1000 AS "isRead" FROM turnwire.said');
  expect(await read).toEqual([{ isRead: true }]);
});

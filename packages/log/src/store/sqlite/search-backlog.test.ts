import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import type { StoredEvent } from "../../store.ts";
import { migrate } from "./migration.ts";
import { openForTest, tamper, temporaryPath } from "./test-support/temporary-store.ts";
import { LEASE_MS } from "../../test-support/session.ts";

function userMessage(seq: number, text: string): StoredEvent {
  const data = { message_id: `m${seq}`, content: [{ type: "text", text }], delivery: "turn" };
  return { seq, type: "user_message", json: JSON.stringify({ seq, type: "user_message", data }) };
}

/** More than is made searchable in one step. */
const OLD = 450;

test("what an earlier version stored is found after a while, and what is added meanwhile too", async () => {
  const path = await temporaryPath();
  await mkdir(dirname(path));
  await tamper(path, (database) => {
    migrate(database, path, 4);
    const origin = { owner: "ann", runtime: "demo", options: {}, cwd: "/", createdAt: "2026" };
    database
      .prepare(
        "INSERT INTO sessions VALUES (1, 'old', 'ann', 'e', 4, 'live', 'idle', 'u', ?, 0, '{}')",
      )
      .run(OLD);
    database.prepare("INSERT INTO origins VALUES (1, ?)").run(JSON.stringify(origin));
    const insert = database.prepare(
      "INSERT INTO events (session_key, seq, type, json, crc) VALUES (1, ?, ?, ?, ?)",
    );
    database.exec("BEGIN");
    for (let seq = 1; seq <= OLD; seq += 1) {
      const { type, json } = userMessage(seq, `message number${seq}`);
      insert.run(seq, type, json, crc32(json));
    }
    database.exec("COMMIT");
  });
  const store = await openForTest(path);
  const lease = await store.acquireLease({ sessionId: "old", holder: "test", ttlMs: LEASE_MS });
  const { generation = 0 } = lease ?? {};
  await store.append({ sessionId: "old", generation, events: [userMessage(OLD + 1, "added")] });
  const search = (text: string) => store.search?.({ text, limit: 5 });
  await expect.poll(async () => (await search("none"))?.isComplete).toBe(true);
  for (const [text, seq] of [
    ["number1 message", 1],
    [`number${OLD}`, OLD],
    ["added", OLD + 1],
  ]) {
    expect((await search(String(text)))?.hits.map((hit) => hit.seq)).toEqual([seq]);
  }
});

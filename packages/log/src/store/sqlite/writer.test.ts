import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Database, loadDriver } from "./driver.ts";
import { checksumOf, rowFromEvents, rowsFromEvents } from "./event-row.ts";
import { migrate } from "./migration.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { temporaryPath } from "./test-support/temporary-store.ts";
import type { Write } from "./write.ts";
import { Writer } from "./writer.ts";

async function openWriter() {
  const path = await temporaryPath();
  await mkdir(dirname(path));
  const database = (await loadDriver())(path);
  onTestFinished(() => database.close());
  migrate(database, path);
  return { database, path, writer: new Writer(database, path) };
}

const creation = { type: "create", holder: "test", ttlMs: 60_000 } as const;
const create = (sessionId: string): Write => ({ ...creation, record: recordOf(sessionId) });

function append(sessionId: string, first: number, last: number, size = 20): Write {
  const events = rowsFromEvents(eventsFrom(first, last, size));
  return { type: "append", batch: { sessionId, generation: 1, events } };
}

/** Lets the database grow by so many pages, as a disk with little space left. */
function limitPages(database: Database, more: number): void {
  const [pages] = database.prepare("PRAGMA page_count").all()[0] ?? [];
  database.prepare(`PRAGMA max_page_count = ${Number(pages) + more}`).all();
}

function countEvents(database: Database, where = "1"): unknown {
  return database.prepare(`SELECT total(count) FROM events WHERE ${where}`).all()[0]?.[0];
}

const done = { answer: undefined };
const full = {
  refusal: { code: "unavailable", message: expect.stringContaining("no space left") },
};

describe("a group of writes", () => {
  test("is one transaction, answered in order", async () => {
    const { database, writer } = await openWriter();
    const outcomes = writer.commit([create("one"), append("one", 1, 2), append("one", 3, 3)]);
    expect(outcomes).toMatchObject([{ answer: { generation: 1 } }, done, done]);
    expect(countEvents(database)).toBe(3);
    expect(database.isInTransaction()).toBe(false);
  });

  test("that does not fit on the disk loses only what does not fit", async () => {
    const { database, writer } = await openWriter();
    writer.commit([create("one"), create("two")]);
    limitPages(database, 8);
    const outcomes = writer.commit([
      append("one", 1, 2),
      append("two", 1, 1, 100_000),
      append("one", 3, 4),
      append("two", 2, 2),
    ]);
    expect(outcomes).toMatchObject([done, full, done, { refusal: { code: "not_contiguous" } }]);
    expect(countEvents(database)).toBe(4);
  });

  test("that failed leaves heads as they were, so the same events fit later", async () => {
    const { database, writer } = await openWriter();
    writer.commit([create("one"), append("one", 1, 1)]);
    limitPages(database, 1);
    expect(writer.commit([append("one", 2, 3, 10_000)])).toMatchObject([full]);
    limitPages(database, 1000);
    expect(writer.commit([append("one", 2, 3, 10_000)])).toStrictEqual([done]);
    expect(countEvents(database)).toBe(3);
  });

  test("writes for a probe each time, and nothing that anybody can read", async () => {
    const { database, path, writer } = await openWriter();
    writer.commit([create("one")]);
    database.prepare("PRAGMA journal_mode = WAL").all();
    const sizes: number[] = [];
    for (let probes = 0; probes < 3; probes += 1) {
      expect(writer.commit([{ type: "probe" }])).toStrictEqual([done]);
      sizes.push((await stat(`${path}-wal`)).size);
    }
    expect(new Set(sizes).size).toBe(3);
    const bases = "SELECT * FROM bases JOIN sessions USING (session_key)";
    expect(database.prepare(bases).all()).toStrictEqual([]);
  });

  test("that failed gives no session and no lease", async () => {
    const { database, writer } = await openWriter();
    writer.commit([create("one")]);
    limitPages(database, 1);
    const big = { ...recordOf("two"), options: { system_prompt: "x".repeat(100_000) } };
    expect(writer.commit([{ ...creation, record: big }])).toMatchObject([full]);
    const unknown = { refusal: { code: "session_unknown" } };
    expect(writer.commit([append("two", 1, 1)])).toMatchObject([unknown]);
    expect(writer.commit([append("one", 1, 1)])).toStrictEqual([done]);
  });
});

describe("a purge", () => {
  const remove = (sessionId: string): Write => ({ type: "delete", sessionId, generation: 1 });

  test("removes the events of a deleted session step by step, and no others", async () => {
    const { database, writer } = await openWriter();
    writer.commit([create("two"), create("one"), append("one", 1, 5000), append("two", 1, 10)]);
    const batch = { sessionId: "one", generation: 2, events: rowsFromEvents(eventsFrom(1, 3)) };
    const again = writer.commit([remove("one"), create("one"), { type: "append", batch }]);
    expect(again).toMatchObject([
      { answer: { owner: "ann" } },
      { answer: { generation: 2 } },
      done,
    ]);
    expect(countEvents(database)).toBe(5013);
    expect(writer.purge()).toBe(true);
    expect(countEvents(database)).toBeGreaterThan(1000);
    while (writer.purge());
    expect(countEvents(database)).toBe(13);
  });

  test("removes trimmed events, also when the process that trimmed is gone", async () => {
    const { database, path, writer } = await openWriter();
    writer.commit([create("one"), append("one", 1, 10)]);
    const trim = { type: "trim", sessionId: "one", generation: 1, state: "{}" } as const;
    writer.commit([
      { ...trim, seq: 3 },
      { ...trim, seq: 6 },
    ]);
    const next = new Writer(database, path);
    while (next.purge());
    expect(countEvents(database, "seq <= 6")).toBe(0);
    expect(countEvents(database)).toBe(4);
    expect(next.purge()).toBe(false);
  });

  test("takes trimmed events out of a row that also holds others", async () => {
    const { database, writer } = await openWriter();
    const trim = { type: "trim", sessionId: "one", generation: 1, seq: 30, state: "{}" } as const;
    writer.commit([create("one"), append("one", 1, 50), trim]);
    while (writer.purge());
    const [row] = database.prepare("SELECT seq, count, type, json, crc FROM events").all();
    const kept = rowFromEvents(eventsFrom(31, 50));
    expect(row).toStrictEqual([50, 20, kept.types, kept.json, checksumOf(kept)]);
    expect(countEvents(database)).toBe(20);
  });

  test("leaves a damaged row as it is, so that it still shows", async () => {
    const { database, writer } = await openWriter();
    writer.commit([create("one"), append("one", 1, 50)]);
    database.exec("UPDATE events SET json = replace(json, '40 40', '40 41')");
    const trim = { type: "trim", sessionId: "one", generation: 1, seq: 30, state: "{}" } as const;
    writer.commit([trim]);
    const before = database.prepare("SELECT json, crc FROM events").all();
    while (writer.purge());
    expect(database.prepare("SELECT json, crc FROM events").all()).toStrictEqual(before);
  });
});

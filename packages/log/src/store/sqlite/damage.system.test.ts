import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../../store.ts";
import { eventsFrom, LEASE_MS, recordOf } from "../../test-support/session.ts";
import { openForTest, tamper, temporaryPath } from "./test-support/temporary-store.ts";

const acquire = (sessionId: string) => ({ sessionId, holder: "test", ttlMs: LEASE_MS });

/** A closed store with the session "one" and its ten events, each input of an odd one known. */
async function closedStore(): Promise<string> {
  const path = await temporaryPath();
  const store = await openForTest(path);
  const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
  const inputs = [1, 3, 5, 7, 9].map((seq) => ({ clientMessageId: `c${seq}`, seq, digest: "d" }));
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 10), inputs });
  await store.close();
  return path;
}

/** A closed store with the session "one" and its 300 events, written at once and so in a few rows. */
async function closedPackedStore(): Promise<string> {
  const path = await temporaryPath();
  const store = await openForTest(path);
  const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 300) });
  await store.close();
  return path;
}

/** Asserts nothing itself: the log as its next owner finds it. */
async function logOf(store: Store) {
  const lease = await store.acquireLease(acquire("one"));
  const events = await store.read("one", 0, 100);
  return { record: lease?.record, generation: lease?.generation ?? 0, events };
}

describe("a log with missing events", () => {
  test.for([
    { what: "its tail", where: "seq > 7", kept: 7 },
    { what: "any", where: "1", kept: 0 },
  ])("without $what continues from what is there and gets a new epoch", async ({ where, kept }) => {
    const path = await closedStore();
    await tamper(path, (database) => database.exec(`DELETE FROM events WHERE ${where}`));
    const store = await openForTest(path);
    const { record, generation, events } = await logOf(store);
    expect(record?.head).toBe(kept);
    expect(record?.epoch).not.toBe("first");
    expect(events).toStrictEqual(eventsFrom(1, kept));
    expect(await store.findInput("one", "c9")).toBeUndefined();
    expect(await store.getSession("one")).toStrictEqual(record);
    const next = eventsFrom(kept + 1, kept + 2);
    await store.append({ sessionId: "one", generation, events: next });
    expect(await store.read("one", 0, 100)).toStrictEqual(eventsFrom(1, kept + 2));
    const again = await store.acquireLease(acquire("one"));
    expect(again?.record.epoch).toBe(record?.epoch);
  });

  test.for([
    { what: "one in the middle", where: "seq = 4", first: 4, last: 4 },
    { what: "some in the middle", where: "seq IN (4, 5)", first: 4, last: 5 },
    { what: "its second", where: "seq = 2", first: 2, last: 2 },
  ])(
    "without $what is read up to there, takes nothing more, and loses nothing",
    async ({ where, first, last }) => {
      const path = await closedStore();
      await tamper(path, (database) => database.exec(`DELETE FROM events WHERE ${where}`));
      const store = await openForTest(path);
      const damage = { code: "damaged", range: { first, last } };
      await expect(store.acquireLease(acquire("one"))).rejects.toMatchObject(damage);
      expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, first - 1));
      await expect(store.read("one", first - 1, 10)).rejects.toMatchObject(damage);
      expect(await store.read("one", last, 10)).toStrictEqual(eventsFrom(last + 1, 10));
      expect(await store.getSession("one")).toMatchObject({ head: 10, epoch: "first" });
      expect(await store.findInput("one", "c9")).toMatchObject({ seq: 9 });
    },
  );

  test("without its first can be read only behind it", async () => {
    const path = await closedStore();
    await tamper(path, (database) => database.exec("DELETE FROM events WHERE seq = 1"));
    const store = await openForTest(path);
    const damage = { code: "damaged", range: { first: 1, last: 1 } };
    await expect(store.acquireLease(acquire("one"))).rejects.toMatchObject(damage);
    await expect(store.read("one", 0, 10)).rejects.toMatchObject(damage);
  });

  test("is removed without being read", async () => {
    const path = await closedStore();
    await tamper(path, (database) => {
      database.exec("DELETE FROM events WHERE seq = 4; UPDATE events SET crc = 1 WHERE seq = 2");
    });
    const store = await openForTest(path);
    await store.removeSession("one");
    expect(await store.getSession("one")).toBeUndefined();
    await expect(store.removeSession("one")).rejects.toMatchObject({ code: "session_unknown" });
    const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
    await expect(store.removeSession("one")).rejects.toMatchObject({ code: "lease_lost" });
    await store.append({ sessionId: "one", generation, events: eventsFrom(1, 3) });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 3));
  });

  test("is searched to its end, however long it is", async () => {
    const path = await closedStore();
    const store = await openForTest(path);
    const { generation } = await store.createSession(recordOf("long"), "test", LEASE_MS);
    const batches = eventsFrom(1, 3500).map((event) => ({ events: [event] }));
    await Promise.all(
      batches.map((batch) => store.append({ sessionId: "long", generation, ...batch })),
    );
    await store.close();
    await tamper(path, (database) => database.exec("DELETE FROM events WHERE seq = 3210"));
    const reopened = await openForTest(path);
    await expect(reopened.acquireLease(acquire("long"))).rejects.toMatchObject({
      code: "damaged",
      range: { first: 3210, last: 3210 },
    });
    expect(await reopened.read("long", 3200, 100)).toStrictEqual(eventsFrom(3201, 3209));
  });

  test("is damaged from the first to the last event of a missing row", async () => {
    const path = await closedPackedStore();
    await tamper(path, (database) => database.exec("DELETE FROM events WHERE seq = 256"));
    const store = await openForTest(path);
    expect(await store.read("one", 0, 1000)).toStrictEqual(eventsFrom(1, 128));
    const damage = {
      code: "damaged",
      range: { first: 129, last: 256 },
      message: expect.stringContaining("one of the events 129 to 256 of session one is missing"),
    };
    await expect(store.read("one", 128, 100)).rejects.toMatchObject(damage);
    await expect(store.acquireLease(acquire("one"))).rejects.toMatchObject(damage);
    expect(await store.getSession("one")).toMatchObject({ head: 300, epoch: "first" });
  });

  test("is not taken for shorter than it was before an owner knows", async () => {
    const path = await closedPackedStore();
    await tamper(path, (database) => database.exec("DELETE FROM events WHERE seq > 128"));
    const store = await openForTest(path);
    expect(await store.read("one", 0, 1000)).toStrictEqual(eventsFrom(1, 128));
    await expect(store.read("one", 128, 10)).rejects.toMatchObject({
      code: "damaged",
      range: { first: 129, last: 300 },
    });
  });

  test("is whole when it was trimmed in the middle of a row", async () => {
    const path = await closedPackedStore();
    await tamper(path, (database) => database.exec("UPDATE sessions SET trimmed = 200"));
    const store = await openForTest(path);
    const lease = await store.acquireLease(acquire("one"));
    expect(lease?.record).toMatchObject({ head: 300, trimmed: 200, epoch: "first" });
    expect(await store.read("one", 0, 1000)).toStrictEqual(eventsFrom(201, 300));
  });

  test("is whole when only trimmed events are missing", async () => {
    const path = await closedStore();
    await tamper(path, (database) => {
      database.exec("DELETE FROM events WHERE seq <= 4; UPDATE sessions SET trimmed = 4");
    });
    const { record, events } = await logOf(await openForTest(path));
    expect(record).toMatchObject({ head: 10, trimmed: 4, epoch: "first" });
    expect(events).toStrictEqual(eventsFrom(5, 10));
  });

  test("keeps its epoch when nothing is lost and only the head lags", async () => {
    const path = await closedStore();
    await tamper(path, (database) => database.exec("UPDATE sessions SET head = 8"));
    const { record, events } = await logOf(await openForTest(path));
    expect(record).toMatchObject({ head: 10, epoch: "first" });
    expect(events).toStrictEqual(eventsFrom(1, 10));
  });
});

describe("a damaged file", () => {
  test("never serves an event whose bytes have changed", async () => {
    const path = await closedStore();
    const bytes = await readFile(path);
    const place = bytes.indexOf('"text":"6 6 6');
    expect(place).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(place + 8) ^ 1, place + 8);
    await writeFile(path, bytes);
    const store = await openForTest(path);
    expect(await store.read("one", 0, 5)).toStrictEqual(eventsFrom(1, 5));
    expect(await store.read("one", 0, 6)).toStrictEqual(eventsFrom(1, 5));
    await expect(store.read("one", 5, 6)).rejects.toMatchObject({
      code: "damaged",
      range: { first: 6, last: 6 },
    });
  });

  test("never serves a row of events when bytes of one have changed", async () => {
    const path = await closedPackedStore();
    await tamper(path, (database) => {
      database.exec("UPDATE events SET json = replace(json, '200 200', '200 201')");
    });
    const store = await openForTest(path);
    expect(await store.read("one", 0, 128)).toStrictEqual(eventsFrom(1, 128));
    expect(await store.read("one", 256, 100)).toStrictEqual(eventsFrom(257, 300));
    expect(await store.read("one", 0, 129)).toStrictEqual(eventsFrom(1, 128));
    await expect(store.read("one", 128, 1)).rejects.toMatchObject({
      code: "damaged",
      range: { first: 129, last: 256 },
    });
  });

  test("never serves a row whose count has changed", async () => {
    const path = await closedPackedStore();
    await tamper(path, (database) => database.exec("UPDATE events SET count = 1 WHERE seq = 128"));
    const store = await openForTest(path);
    await expect(store.read("one", 127, 1)).rejects.toMatchObject({ code: "damaged" });
  });

  test("is refused as corrupt when its end is missing", async () => {
    const path = await closedStore();
    const { length } = await readFile(path);
    await truncate(path, length - 8192);
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("is damaged"),
    });
  });

  test("is refused as corrupt when its pages are noise", async () => {
    const path = await closedStore();
    const bytes = await readFile(path);
    const noise = createHash("shake256", { outputLength: bytes.length - 100 }).digest();
    await writeFile(path, Buffer.concat([bytes.subarray(0, 100), noise]));
    await expect(openForTest(path)).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("a damaged record", () => {
  test.for([
    { what: "facts", sql: "UPDATE sessions SET facts = '{oops' WHERE session_id = 'one'" },
    { what: "origin", sql: "UPDATE origins SET json = '' WHERE session_key = 1" },
    { what: "missing origin", sql: "DELETE FROM origins WHERE session_key = 1" },
    { what: "status", sql: "UPDATE sessions SET status = 'odd' WHERE session_id = 'one'" },
  ])("($what) is listed beside the others, marked, and can be removed", async ({ sql }) => {
    const path = await closedStore();
    const first = await openForTest(path);
    await first.createSession(recordOf("two"), "test", LEASE_MS);
    await first.close();
    await tamper(path, (database) => database.exec(sql));
    const store = await openForTest(path);
    const [two, one] = await store.listSessions({ limit: 10, owner: "ann" });
    expect(two).toStrictEqual(recordOf("two"));
    expect(one).toMatchObject({ sessionId: "one", owner: "ann", head: 10, isDamaged: true });
    expect(await store.getSession("one")).toStrictEqual(one);
    await expect(store.acquireLease(acquire("one"))).rejects.toMatchObject({ code: "damaged" });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 10));
    await store.removeSession("one");
    expect(await store.listSessions({ limit: 10 })).toStrictEqual([recordOf("two")]);
  });
});

describe("a store that was not closed", () => {
  /** What a killed process leaves behind. */
  async function unclose(path: string, mark: string): Promise<void> {
    await tamper(path, (database) => database.prepare("UPDATE open_mark SET mark = ?").run(mark));
  }

  test("keeps its epochs while its WAL is there", async () => {
    const path = await closedStore();
    await unclose(path, "durable");
    await writeFile(`${path}-wal`, "");
    const { record } = await logOf(await openForTest(path));
    expect(record).toMatchObject({ head: 10, epoch: "first" });
  });

  test("gives every session a new epoch when its WAL is gone", async () => {
    const path = await closedStore();
    await unclose(path, "durable");
    await rm(`${path}-wal`, { force: true });
    const { record } = await logOf(await openForTest(path));
    expect(record?.head).toBe(10);
    expect(record?.epoch).not.toBe("first");
  });

  test("gives new epochs when it was fast and the machine was restarted since", async () => {
    const path = await closedStore();
    await unclose(path, "fast 00000000-boot");
    await writeFile(`${path}-wal`, "");
    const { record } = await logOf(await openForTest(path));
    expect(record?.epoch).not.toBe("first");
  });

  test("keeps its epochs after a clean close, with or without a WAL", async () => {
    const path = await closedStore();
    await rm(`${path}-wal`, { force: true });
    const { record } = await logOf(await openForTest(path, "fast"));
    expect(record?.epoch).toBe("first");
  });
});

describe("a full disk", () => {
  const run = promisify(execFile);

  /** A file system of two megabytes; undefined where this process may not mount one. */
  async function mountSmallDisk(): Promise<string | undefined> {
    const directory = await mkdtemp(join(tmpdir(), "turnwire-disk-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const [mounted] = await Promise.allSettled([
      run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", directory]),
    ]);
    if (mounted.status === "rejected") return undefined;
    onTestFinished(async () => void (await run("umount", ["-l", directory])));
    return directory;
  }

  test("acks nothing it cannot keep, and continues when there is space again", async (context) => {
    const directory = await mountSmallDisk();
    if (directory === undefined) return context.skip("cannot mount a small disk here");
    const store = await openForTest(join(directory, "store.db"));
    const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
    const append = (first: number, last: number) =>
      store.append({ sessionId: "one", generation, events: eventsFrom(first, last) });
    const ballast = join(directory, "ballast");
    await append(1, 5);
    await writeFile(ballast, Buffer.alloc(1_000_000));
    let head = 5;
    let refusal: unknown;
    while (refusal === undefined) {
      const [outcome] = await Promise.allSettled([append(head + 1, head + 500)]);
      if (outcome.status === "fulfilled") head += 500;
      else refusal = outcome.reason;
    }
    expect(refusal).toMatchObject({ code: "unavailable" });
    expect(await store.getSession("one")).toMatchObject({ head });
    await rm(ballast);
    await append(head + 1, head + 5);
    expect(await store.read("one", 0, 100_000)).toStrictEqual(eventsFrom(1, head + 5));
    await store.close();
  });
});

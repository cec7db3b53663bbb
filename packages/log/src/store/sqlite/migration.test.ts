import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { crc32 } from "node:zlib";
import { loadDriver } from "./driver.ts";
import { migrate, SCHEMA_VERSION } from "./migration.ts";
import { eventsFrom, LEASE_MS } from "../../test-support/session.ts";
import { openForTest, tamper, temporaryPath } from "./test-support/temporary-store.ts";

const versionOf = async (path: string) => {
  let version: unknown;
  await tamper(path, (database) => {
    version = database.prepare("PRAGMA user_version").all()[0]?.[0];
  });
  return version;
};

/** A file as the first schema left it, with one session of two events. */
async function createVersionOne(path: string): Promise<void> {
  await mkdir(dirname(path));
  await tamper(path, (database) => {
    migrate(database, path, 1);
    const origin = { owner: "ann", runtime: "demo", options: {}, cwd: "/", createdAt: "2026" };
    database
      .prepare(
        "INSERT INTO sessions VALUES (1, 'old', 'ann', 'e', 4, 'live', 'idle', 'u', 2, 0, ?)",
      )
      .run(JSON.stringify({ title: "old" }));
    database.prepare("INSERT INTO origins VALUES (1, ?)").run(JSON.stringify(origin));
    const insert = database.prepare("INSERT INTO events VALUES (1, ?, ?, ?, ?)");
    for (const { seq, type, json } of eventsFrom(1, 2)) insert.run(seq, type, json, crc32(json));
  });
}

describe("the schema", () => {
  test("is made in an empty file", async () => {
    const path = await temporaryPath();
    await (await openForTest(path)).close();
    expect(await versionOf(path)).toBe(SCHEMA_VERSION);
  });

  test("is brought up to date from the first version, and nothing is lost", async () => {
    const path = await temporaryPath();
    await createVersionOne(path);
    const store = await openForTest(path);
    expect(await store.read("old", 0, 10)).toStrictEqual(eventsFrom(1, 2));
    const lease = await store.acquireLease({ sessionId: "old", holder: "test", ttlMs: LEASE_MS });
    expect(lease).toMatchObject({ generation: 5, record: { title: "old", head: 2, epoch: "e" } });
    await store.append({ sessionId: "old", generation: 5, events: eventsFrom(3, 3) });
    await store.append({ sessionId: "old", generation: 5, events: eventsFrom(4, 50) });
    expect(await store.read("old", 0, 100)).toStrictEqual(eventsFrom(1, 50));
    await store.deleteSession("old", 5);
    await store.close();
    expect(await versionOf(path)).toBe(SCHEMA_VERSION);
  });

  test("is left whole by a step that fails", async () => {
    const path = await temporaryPath();
    await createVersionOne(path);
    await tamper(path, (database) => database.exec("CREATE TABLE open_mark (x)"));
    await expect(openForTest(path)).rejects.toMatchObject({ code: "unavailable" });
    expect(await versionOf(path)).toBe(1);
    await tamper(path, (database) => database.exec("DROP TABLE open_mark"));
    const store = await openForTest(path);
    expect(await store.read("old", 0, 10)).toHaveLength(2);
  });

  test("is refused when it is newer than this code, and stays as it is", async () => {
    const path = await temporaryPath();
    await (await openForTest(path)).close();
    const newer = SCHEMA_VERSION + 1;
    await tamper(path, (database) => database.exec(`PRAGMA user_version = ${newer}`));
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "schema_too_new",
      message: expect.stringContaining(
        `schema ${newer}, this Turnwire knows up to ${SCHEMA_VERSION}`,
      ),
    });
    expect(await versionOf(path)).toBe(newer);
  });
});

describe("a file that is not a store of ours", () => {
  test("is refused as corrupt when it is not a database", async () => {
    const path = await temporaryPath();
    await mkdir(dirname(path));
    await writeFile(path, "dear diary, ".repeat(500));
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("is not a database"),
    });
  });

  test("is named when it is the lock file", async () => {
    const path = await temporaryPath();
    await mkdir(dirname(path));
    await writeFile(`${path}.lock`, "dear diary, ".repeat(500));
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining(`${path}.lock is not a database`),
    });
  });

  test("is refused when it is the database of another program, and gets no tables", async () => {
    const path = await temporaryPath();
    await mkdir(dirname(path));
    await tamper(path, (database) => database.exec("CREATE TABLE bookmarks (url TEXT)"));
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("another program"),
    });
    const database = (await loadDriver())(path);
    const tables = database.prepare("SELECT name FROM sqlite_schema").all();
    expect(tables).toStrictEqual([["bookmarks"]]);
    database.close();
  });
});

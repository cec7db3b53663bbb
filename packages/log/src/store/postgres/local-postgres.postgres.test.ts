import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { startTestPostgres } from "../../../../../test/support/postgres.ts";
import { StoreError } from "../../store-error.ts";
import { startLocalPostgres } from "./local-postgres.ts";

test("every database that a test asks for is empty and its own", async () => {
  const [first, second] = await Promise.all([newDatabase(), newDatabase()]);
  onTestFinished(() => Promise.all([first.remove(), second.remove()]).then(() => undefined));
  await query(first.url, "CREATE TABLE mine (id int)");
  expect(await query(second.url, "SELECT to_regclass('mine') AS found")).toEqual([{ found: null }]);
});

test("a server keeps its data and its address over a restart and over a crash", async () => {
  const postgres = await startTestPostgres();
  onTestFinished(() => postgres.close());
  const url = postgres.url("postgres");
  await query(url, "CREATE TABLE kept AS SELECT 1 AS id");
  for (const mode of ["fast", "immediate"] as const) {
    await postgres.stop(mode);
    await expect(query(url, "SELECT 1")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    await postgres.start();
    expect(await query(url, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
  }
});

test("a server that was left behind by a killed process is ended by the next one, which has its data", async () => {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-leftover-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const directory = join(parent, "data");
  const settings = { fsync: "off" };
  const left = await startLocalPostgres({ directory, settings });
  await query(left.url("postgres"), "CREATE TABLE kept AS SELECT 2 AS id");
  const next = await startLocalPostgres({ directory, settings });
  onTestFinished(() => next.close());
  expect(await query(next.url("postgres"), "SELECT id FROM kept")).toEqual([{ id: 2 }]);
  await expect(query(left.url("postgres"), "SELECT 1")).rejects.toThrow(/ENOENT/);
});

test("a cluster that was half made when its maker was killed is made again", async () => {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-half-made-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const directory = join(parent, "data");
  await mkdir(`${directory}.new`);
  await writeFile(join(`${directory}.new`, "PG_VERSION"), "18\n");
  const postgres = await startLocalPostgres({ directory, settings: { fsync: "off" } });
  onTestFinished(() => postgres.close());
  expect(await query(postgres.url("postgres"), "SELECT 1 AS id")).toEqual([{ id: 1 }]);
  expect(await readdir(parent)).toEqual(["data"]);
});

test("a server that does not stop in time is killed, and loses nothing", async () => {
  const postgres = await startTestPostgres();
  onTestFinished(() => postgres.close());
  const url = postgres.url("postgres");
  await query(url, "CREATE TABLE kept AS SELECT 3 AS id");
  const [row] = await query(url, "SELECT pg_read_file('postmaster.pid') AS file");
  process.kill(Number.parseInt((row as { file: string }).file, 10), "SIGSTOP");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = postgres.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
  vi.useRealTimers();
  await postgres.start();
  expect(await query(url, "SELECT id FROM kept")).toEqual([{ id: 3 }]);
});

test("a directory that is not a cluster is explained, and left as it is", async () => {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-no-cluster-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const directory = join(parent, "data");
  await mkdir(join(directory, "mine"), { recursive: true });
  const work = startLocalPostgres({ directory });
  await expect(work).rejects.toThrow(StoreError);
  await expect(work).rejects.toThrow(/could not make a database cluster/);
  await expect(readFile(join(directory, "PG_VERSION"))).rejects.toThrow(/ENOENT/);
});

test("a place that cannot be used is a failure of the store with its reason, and leaves nothing behind", async () => {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-no-place-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const file = join(parent, "file");
  await writeFile(file, "");
  await expect(startLocalPostgres({ directory: join(file, "data") })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("ENOTDIR"),
  });
  const directory = join(parent, "data");
  await mkdir(directory);
  await writeFile(join(directory, "PG_VERSION"), "9.6\n");
  const sockets = join(parent, "tmp");
  await mkdir(sockets);
  vi.stubEnv("TMPDIR", sockets);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startLocalPostgres({ directory })).rejects.toThrow(/could not start Postgres/);
  expect(await readdir(sockets)).toEqual([]);
});

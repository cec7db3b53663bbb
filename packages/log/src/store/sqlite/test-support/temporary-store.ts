import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../../../store.ts";
import { type Database, loadDriver } from "../driver.ts";
import { openSqliteStore } from "../sqlite-store.ts";

/** A path for a store, in a directory that goes with the test. */
export async function temporaryPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-sqlite-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "data", "store.db");
}

/** Opens a store that is closed at the end of the test at the latest. */
export async function openForTest(path: string, durability?: "durable" | "fast"): Promise<Store> {
  const store = await openSqliteStore(durability ? { path, durability } : { path });
  onTestFinished(() => store.close());
  return store;
}

/** Does something to the file of a closed store behind its back. */
export async function tamper(path: string, work: (database: Database) => void): Promise<void> {
  const database = (await loadDriver())(path);
  work(database);
  database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  database.close();
}

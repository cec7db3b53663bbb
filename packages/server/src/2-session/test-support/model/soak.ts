import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { PlayCount } from "./play.ts";
import { play } from "./play.ts";
import type { History } from "./step.ts";
import { historyArbitrary } from "./step.ts";

/** Histories of these lengths in turn: short ones shrink well, long ones reach far. */
const lengths = [30, 60, 120];
const batch = 100;
/** SQLite takes longer, so it plays fewer. */
const sqliteBatch = 5;

/** Plays new histories until the time is over, on memory and on SQLite; rejects with the first that breaks a promise. */
export async function soakModel(minutes: number, seed: number): Promise<PlayCount> {
  const count: PlayCount = { histories: 0, commands: 0, turns: 0, faults: 0 };
  const deadline = performance.now() + minutes * 60_000;
  const memory = (history: History) => play(history, { count });
  const sqlite = (history: History) => playOnSqlite(history, count);
  for (let round = 0; performance.now() < deadline; round++) {
    const histories = historyArbitrary(lengths[round % lengths.length] ?? 30);
    const parameters = { seed: seed + round, endOnFailure: false };
    await fc.assert(fc.asyncProperty(histories, memory), { ...parameters, numRuns: batch });
    await fc.assert(fc.asyncProperty(histories, sqlite), { ...parameters, numRuns: sqliteBatch });
  }
  return count;
}

async function playOnSqlite(history: History, count: PlayCount): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-model-"));
  try {
    const path = join(directory, "model.db");
    await play(history, { disk: await openSqliteStore({ path, durability: "fast" }), count });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

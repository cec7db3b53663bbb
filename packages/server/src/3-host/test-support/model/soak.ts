import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { openSqliteStore } from "@turnwire/log";
import { play, type PlayCount, type PlayOptions } from "./play.ts";
import { type History, historyArbitrary } from "./step.ts";

/** Histories of these lengths in turn: short ones shrink well, long ones reach far. */
const lengths = [30, 60, 120];
const batch = 100;
/** SQLite takes longer, so it plays fewer. */
const sqliteBatch = 5;

/**
 * Plays so many histories on memory, the same each time, so that a commit which passed once passes
 * again. Rejects with the first that breaks a promise, as short as it can be made.
 */
export async function playSome(histories: number): Promise<PlayCount> {
  const count: PlayCount = { histories: 0, commands: 0, turns: 0, faults: 0 };
  const property = fc.asyncProperty(historyArbitrary(40), keepsPromises({ count }));
  await fc.assert(property, { seed: 20_261_116, numRuns: histories });
  return count;
}

/** Plays new histories for the given minutes on memory and SQLite, as `npm run soak` does. */
export async function playNew(minutes: number): Promise<PlayCount> {
  const count: PlayCount = { histories: 0, commands: 0, turns: 0, faults: 0 };
  const seed = Math.floor(Math.random() * 2 ** 31);
  const deadline = performance.now() + minutes * 60_000;
  try {
    for (let round = 0; performance.now() < deadline; round++) {
      const histories = historyArbitrary(lengths[round % lengths.length] ?? 30);
      const memory = fc.asyncProperty(histories, keepsPromises({ count }));
      const sqlite = fc.asyncProperty(histories, (history) => playOnSqlite(history, count));
      await fc.assert(memory, { seed: seed + round, numRuns: batch });
      await fc.assert(sqlite, { seed: seed + round, numRuns: sqliteBatch });
    }
  } finally {
    console.log(`model test from seed ${seed}:`, count);
  }
  return count;
}

function keepsPromises(options: PlayOptions): (history: History) => Promise<void> {
  return async (history) => {
    const problems = await play(history, options);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  };
}

async function playOnSqlite(history: History, count: PlayCount): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-model-"));
  try {
    const path = join(directory, "model.db");
    const disk = await openSqliteStore({ path, durability: "fast" });
    await keepsPromises({ disk, count })(history);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

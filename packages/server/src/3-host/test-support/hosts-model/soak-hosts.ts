import * as fc from "fast-check";
import { type HostsHistory, hostsHistoryArbitrary } from "./hosts-step.ts";
import { playHosts } from "./play-hosts.ts";

/** Histories of these lengths in turn: short ones shrink well, long ones reach far. */
const lengths = [15, 25, 50];
const batch = 20;

/** Plays so many histories of several hosts, the same each time; answers how many kept all promises. */
export async function playSomeHosts(histories: number): Promise<number> {
  let played = 0;
  const property = fc.asyncProperty(hostsHistoryArbitrary(25), async (history) => {
    await keepsPromises(history);
    played += 1;
  });
  await fc.assert(property, { seed: 20_261_116, numRuns: histories });
  return played;
}

/**
 * Plays new histories of several hosts for the given minutes; answers how many. Rejects with the
 * first that breaks a promise, as short as it can be made.
 */
export async function playNewHosts(minutes: number): Promise<number> {
  let histories = 0;
  let hasFailed = false;
  const deadline = performance.now() + minutes * 60_000;
  const propertyOf = (maxLength: number) =>
    fc.asyncProperty(hostsHistoryArbitrary(maxLength), async (history) => {
      // Whole histories only: one that was interrupted would run on beside the next test.
      if (!hasFailed && performance.now() > deadline) return;
      histories += 1;
      await keepsPromises(history).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    });
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    for (let round = 0; performance.now() < deadline; round++) {
      const maxLength = lengths[round % lengths.length] ?? 25;
      await fc.assert(propertyOf(maxLength), { seed: seed + round, numRuns: batch });
    }
  } finally {
    console.log(`model test of several hosts from seed ${seed}: ${histories} histories`);
  }
  return histories;
}

async function keepsPromises(history: HostsHistory): Promise<void> {
  const problems = await playHosts(history);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

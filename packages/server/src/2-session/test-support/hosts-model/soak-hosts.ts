import * as fc from "fast-check";
import { hostsHistoryArbitrary } from "./hosts-step.ts";
import { playHosts } from "./play-hosts.ts";

/** Histories of these lengths in turn: short ones shrink well, long ones reach far. */
const lengths = [15, 25, 50];
const batch = 20;

/** What CI plays: the same histories each time. A busy machine plays fewer rather than failing. */
const short = { seed: 20_261_116, numRuns: 60 };
const shortMs = 8_000;

/**
 * Plays new histories of several hosts for the given minutes, else a few that are always the same;
 * answers how many. Rejects with the first that breaks a promise, as short as it can be made.
 */
export async function playAnyHosts(minutes: number): Promise<number> {
  let histories = 0;
  let hasFailed = false;
  const deadline = performance.now() + (minutes === 0 ? shortMs : minutes * 60_000);
  const propertyOf = (maxLength: number) =>
    fc.asyncProperty(hostsHistoryArbitrary(maxLength), async (history) => {
      // Whole histories only: one that was interrupted would run on beside the next test.
      if (!hasFailed && performance.now() > deadline) return;
      histories += 1;
      const problems = await playHosts(history);
      if (problems.length === 0) return;
      hasFailed = true;
      throw new Error(problems.join("\n"));
    });
  if (minutes === 0) {
    await fc.assert(propertyOf(25), short);
    return histories;
  }
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

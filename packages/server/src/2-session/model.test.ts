import * as fc from "fast-check";
import { describe, test } from "vitest";
import { formerFaults } from "./test-support/model/former-fault.ts";
import { play } from "./test-support/model/play.ts";
import { soakModel } from "./test-support/model/soak.ts";
import { historyArbitrary } from "./test-support/model/step.ts";

const shortRuns = 250;
const shortMs = 12_000;

const isSoak = process.env["TURNWIRE_SOAK"] === "1";
const soakMinutes = Number(process.env["TURNWIRE_SOAK_MINUTES"] ?? (isSoak ? 5 : 0));

describe("a host with its sessions and agents keeps every promise", () => {
  test("whatever happens in whichever order", async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary(40), (history) => play(history)),
      // A busy machine plays fewer histories rather than failing.
      { numRuns: shortRuns, interruptAfterTimeLimit: shortMs },
    );
  });

  test.each(formerFaults)("also where it once did not: $fault", ({ history }) => play(history));

  if (soakMinutes > 0) {
    test(
      `for ${soakMinutes} minutes, on memory and on SQLite`,
      async () => {
        const seed = Math.floor(Math.random() * 2 ** 31);
        const { histories, commands, turns, faults } = await soakModel(soakMinutes, seed);
        console.log(
          `model, seed ${seed}: ${histories} histories, ${commands} commands, ${turns} turns, ${faults} faults`,
        );
      },
      (soakMinutes + 5) * 60_000,
    );
  }
});

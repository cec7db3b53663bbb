import { describe, expect, test } from "vitest";
import { formerFaults } from "./test-support/model/former-fault.ts";
import { play } from "./test-support/model/play.ts";
import { playAny } from "./test-support/model/soak.ts";
import { soakMinutes } from "./test-support/soak-minutes.ts";

describe("a host with its sessions and agents keeps every promise", () => {
  test(
    "whatever happens in whichever order",
    async () => {
      const { histories } = await playAny(soakMinutes);
      expect(histories).toBeGreaterThan(0);
    },
    (soakMinutes + 2) * 60_000,
  );

  test.each(formerFaults)("also where it once did not: $fault", async ({ history }) => {
    expect(await play(history)).toEqual([]);
  });
});

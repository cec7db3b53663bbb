import { describe, expect, test } from "vitest";
import { formerFaults } from "./test-support/model/former-fault.ts";
import { play } from "./test-support/model/play.ts";
import { playAny } from "./test-support/model/soak.ts";

const defaultMinutes = process.env["TURNWIRE_SOAK"] === "1" ? 5 : 0;
/** How long `npm run soak` plays histories; none: a few hundred. */
const minutes = Number(process.env["TURNWIRE_SOAK_MINUTES"] ?? defaultMinutes);

describe("a host with its sessions and agents keeps every promise", () => {
  test(
    "whatever happens in whichever order",
    async () => {
      const { histories } = await playAny(minutes);
      expect(histories).toBeGreaterThan(0);
    },
    (minutes + 2) * 60_000,
  );

  test.each(formerFaults)("also where it once did not: $fault", async ({ history }) => {
    expect(await play(history)).toEqual([]);
  });
});

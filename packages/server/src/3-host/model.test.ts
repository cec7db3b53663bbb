import { describe, expect, test } from "vitest";
import { formerFaults } from "./test-support/model/former-fault.ts";
import { play } from "./test-support/model/play.ts";
import { playSome } from "./test-support/model/soak.ts";

describe("a host with its sessions and agents keeps every promise", () => {
  test("in some short histories", async () => {
    expect((await playSome(60)).histories).toBe(60);
  });

  test.each(formerFaults)("also where it once did not: $fault", async ({ history }) => {
    expect(await play(history)).toEqual([]);
  });
});

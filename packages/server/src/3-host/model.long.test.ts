import { expect, test } from "vitest";
import { playNew, playSome } from "./test-support/model/soak.ts";
import { soakMinutes } from "./test-support/soak-minutes.ts";

test(
  "a host with its sessions and agents keeps every promise whatever happens in whichever order",
  async () => {
    const { histories } = await (soakMinutes === 0 ? playSome(1_000) : playNew(soakMinutes));
    expect(histories).toBeGreaterThan(0);
  },
  (soakMinutes + 15) * 60_000,
);

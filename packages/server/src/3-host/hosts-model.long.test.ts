import { expect, test } from "vitest";
import { playNewHosts, playSomeHosts } from "./test-support/hosts-model/soak-hosts.ts";
import { soakMinutes } from "./test-support/soak-minutes.ts";

test(
  "several hosts over one store keep every promise whichever of them die, stand still, are cut off, drain or restart",
  async () => {
    const histories = await (soakMinutes === 0 ? playSomeHosts(200) : playNewHosts(soakMinutes));
    expect(histories).toBeGreaterThan(0);
  },
  (soakMinutes + 15) * 60_000,
);

import { describe, expect, test } from "vitest";
import { formerFaults } from "./test-support/hosts-model/former-fault.ts";
import type { HostsHistory } from "./test-support/hosts-model/hosts-step.ts";
import { playHosts } from "./test-support/hosts-model/play-hosts.ts";
import { playSomeHosts } from "./test-support/hosts-model/soak-hosts.ts";

const calm = { turns: 8 };

/** Random histories seldom drain a host while a turn runs there and a message waits behind it. */
const drainedInTurn: HostsHistory = {
  chances: [0],
  hosts: 2,
  sessions: 1,
  steps: [
    { act: { type: "message", host: 0, session: 0, hasClientId: false }, ...calm },
    { act: { type: "wait", ms: 500 }, ...calm },
    { act: { type: "message", host: 0, session: 0, hasClientId: true }, ...calm },
    { act: { type: "read", host: 0, session: 0 }, ...calm },
    { act: { type: "drain", host: 0 }, ...calm },
    { act: { type: "message", host: 0, session: 0, hasClientId: true }, ...calm },
    { act: { type: "wait", ms: 1_500 }, ...calm },
    { act: { type: "agent", run: 0, act: "finish" }, ...calm },
    { act: { type: "wait", ms: 500 }, ...calm },
    { act: { type: "resend", host: 1, message: 1 }, ...calm },
  ],
};

describe("several hosts over one store keep every promise", () => {
  test("in some short histories", async () => {
    expect(await playSomeHosts(15)).toBe(15);
  });

  test("when one drains in the middle of a turn that messages and a reader wait for", async () => {
    expect(await playHosts(drainedInTurn)).toEqual([]);
  });

  test.each(formerFaults)("also where they once did not: $fault", async ({ history }) => {
    expect(await playHosts(history)).toEqual([]);
  });
});

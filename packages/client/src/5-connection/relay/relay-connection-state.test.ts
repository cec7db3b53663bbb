import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  relayConnectionStep as step,
  type RelayConnectionInput,
  type RelayConnectionState,
} from "./relay-connection-state.ts";

const loud = { isSilent: false, random: 0.999_999 };

function play(inputs: readonly RelayConnectionInput["type"][], isSilent = false) {
  let state: RelayConnectionState = { type: "connecting", attempt: 0 };
  for (const type of inputs) state = step(state, { type }, { ...loud, isSilent });
  return state;
}

describe("a connection to a relay", () => {
  test("waits twice as long after each failure, from one second to thirty, ten times", () => {
    const delays: number[] = [];
    let state: RelayConnectionState = { type: "connecting", attempt: 0 };
    for (let round = 0; round < 11; round += 1) {
      state = step(state, { type: "ended" }, loud);
      if (state.type === "waiting") delays.push(Math.ceil(state.delayMs / 1000));
      state = step(state, { type: "waited" }, loud);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30]);
    expect(state).toEqual({ type: "closed", reason: "lost" });
  });

  test("spreads those that lost the same relay over half of the wait", () => {
    const wait = step({ type: "open", attempt: 2 }, { type: "ended" }, { ...loud, random: 0 });
    expect(wait).toEqual({ type: "waiting", attempt: 3, delayMs: 2000 });
  });

  test("counts from zero once a relay has sent something, not when it merely opened", () => {
    const failed = ["ended", "waited", "ended", "waited", "opened"] as const;
    expect(play(failed)).toEqual({ type: "open", attempt: 2 });
    expect(play([...failed, "heard"])).toEqual({ type: "open", attempt: 0 });
  });

  test("is not opened again when it was silent", () => {
    expect(play(["ended"], true)).toEqual({ type: "closed", reason: "lost" });
    expect(play(["opened", "heard", "ended"], true)).toEqual({ type: "closed", reason: "lost" });
  });

  test("stays closed, whatever comes, and can be stopped at any time", () => {
    const type = fc.constantFrom("opened", "heard", "ended", "waited", "stop");
    fc.assert(
      fc.property(fc.array(type), fc.array(type), fc.boolean(), (before, after, isSilent) => {
        expect(play([...before, "stop", ...after], isSilent).type).toBe("closed");
      }),
    );
  });
});

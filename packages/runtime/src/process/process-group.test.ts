import { describe, expect, test } from "vitest";
import type { Clock } from "@turnwire/base";
import { type EndGroupOptions, endGroup } from "./process-group.ts";
import type { ProcessEntry, ProcessTable } from "./process-table.ts";

/** No system has this pid: a signal to it goes nowhere. */
const unusedPid = 2 ** 30;
const identity = { pid: unusedPid, startTime: "then", mark: "mark-1" };
const leader: ProcessEntry = {
  pid: unusedPid,
  group: unusedPid,
  isZombie: false,
  startTime: "then",
};

function tableOf(entries: readonly ProcessEntry[], marked: readonly number[] = []): ProcessTable {
  return {
    list: async () => [...entries],
    find: async (pid) => entries.find((entry) => entry.pid === pid),
    hasVariable: async (pid, entry) => marked.includes(pid) && entry === "TURNWIRE_AGENT=mark-1",
  };
}

/** A clock that jumps over every wait, and counts them. */
function jumpingClock() {
  let now = 0;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  };
  return { waits, clock };
}

function optionsFor(table: ProcessTable): EndGroupOptions & { waits: number[] } {
  const { clock, waits } = jumpingClock();
  return { table, clock, waits, termMs: 300, killMs: 200, ownsGroup: () => true };
}

describe("endGroup", () => {
  test("has nothing to do, and waits for nothing, where only the dead are left", async () => {
    const options = optionsFor(tableOf([{ ...leader, isZombie: true }]));
    expect(await endGroup(identity, options)).toEqual({ found: 0, survivors: [] });
    expect(options.waits).toEqual([]);
  });

  test("gives up after both deadlines, and says who is left", async () => {
    const child = { ...leader, pid: unusedPid + 1 };
    const options = optionsFor(tableOf([leader, child]));
    expect(await endGroup(identity, options)).toEqual({
      found: 2,
      survivors: [unusedPid, unusedPid + 1],
    });
    const waited = options.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(500);
    expect(waited).toBeLessThan(800);
  });

  test("waits no longer where the clock is set back meanwhile", async () => {
    const options = optionsFor(tableOf([leader]));
    const { clock, waits } = options;
    let setBackMs = 0;
    const wait = async (ms: number): Promise<void> => {
      await clock.wait(ms);
      setBackMs += 3_600_000;
      if (waits.length > 100) throw new Error("it still waits");
    };
    const stepped = { now: () => clock.now() - setBackMs, wait };
    expect(await endGroup(identity, { ...options, clock: stepped })).toEqual({
      found: 1,
      survivors: [unusedPid],
    });
  });

  test("takes a group for its own only when it owns it", async () => {
    const options = { ...optionsFor(tableOf([leader])), ownsGroup: () => false };
    expect(await endGroup(identity, options)).toEqual({ found: 0, survivors: [] });
  });

  test("is asked about the process that has the leader's pid now", async () => {
    const asked: (ProcessEntry | undefined)[] = [];
    const ownsGroup = (entry: ProcessEntry | undefined) => asked.push(entry) > 9;
    await endGroup(identity, { ...optionsFor(tableOf([leader])), ownsGroup });
    await endGroup(identity, { ...optionsFor(tableOf([])), ownsGroup });
    expect(asked).toEqual([leader, undefined]);
  });

  test("finds the marked outside the group, but never itself", async () => {
    const outside = {
      pid: unusedPid + 2,
      group: unusedPid + 2,
      isZombie: false,
      startTime: "later",
    };
    const itself = { pid: process.pid, group: unusedPid, isZombie: false, startTime: "before" };
    const table = tableOf([outside, itself], [outside.pid, itself.pid]);
    expect(await endGroup(identity, optionsFor(table))).toEqual({
      found: 1,
      survivors: [outside.pid],
    });
  });

  test("does not mistake a new process for a survivor that had its pid", async () => {
    let looks = 0;
    const table: ProcessTable = {
      ...tableOf([]),
      list: async () => (looks++ === 0 ? [leader] : []),
      find: async () => ({ ...leader, startTime: "now" }),
    };
    expect(await endGroup(identity, optionsFor(table))).toEqual({ found: 1, survivors: [] });
  });
});

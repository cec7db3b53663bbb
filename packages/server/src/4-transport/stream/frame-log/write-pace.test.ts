import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { WritePace } from "./write-pace.ts";

/** A pace on a clock of its own, and work that takes its time on it. */
function pacedBy() {
  let nowMs = 0;
  const done: string[] = [];
  const pace = new WritePace(() => nowMs);
  /** Work of so many steps of 2 ms each. */
  const work = (name: string, steps = 1) => {
    let left = steps;
    return (): boolean => {
      nowMs += 2;
      done.push(name);
      left -= 1;
      return left > 0;
    };
  };
  return { pace, done, work };
}

describe("the pace of writing", () => {
  test("starts work at once while the tick has time left, and what comes later in the next tick, in order", async () => {
    const { pace, done, work } = pacedBy();
    for (const name of ["a", "b", "c", "d", "e"]) pace.run(work(name));
    expect(done).toEqual(["a", "b", "c"]);
    await setImmediate();
    expect(done).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("continues what has begun at once only after a turn of everything else", async () => {
    const { pace, done, work } = pacedBy();
    pace.run(work("long", 2));
    expect(done).toEqual(["long"]);
    await setImmediate();
    expect(done).toEqual(["long", "long"]);
  });

  test("leaves the loop to others between two parts of long work", async () => {
    const { pace, done, work } = pacedBy();
    pace.later(work("long", 7));
    pace.later(work("short"));
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(["long", "short", "long"]);
    await setImmediate();
    expect(done).toEqual(["long", "short", "long", "long", "long", "long"]);
    await setImmediate();
    expect(done).toHaveLength(8);
    await setImmediate();
    expect(done).toHaveLength(8);
  });

  test("starts work once, however often it is added before", async () => {
    const { pace, done, work } = pacedBy();
    const once = work("once");
    pace.later(once);
    pace.later(once);
    await setImmediate();
    await setImmediate();
    expect(done).toEqual(["once"]);
  });

  test("never starts work inside of other work", async () => {
    const { pace, done, work } = pacedBy();
    pace.run(() => {
      pace.run(work("inner"));
      done.push("outer");
      return false;
    });
    expect(done).toEqual(["outer"]);
    await setImmediate();
    expect(done).toEqual(["outer", "inner"]);
  });

  test("does not start what was cancelled, and continues after work that throws", async () => {
    const { pace, done, work } = pacedBy();
    const cancelled = work("cancelled");
    pace.later(cancelled);
    pace.cancel(cancelled);
    const failing = (): boolean => {
      throw new Error("failed");
    };
    expect(() => pace.run(failing)).toThrow("failed");
    pace.later(work("next"));
    await setImmediate();
    expect(done).toEqual(["next"]);
  });
});

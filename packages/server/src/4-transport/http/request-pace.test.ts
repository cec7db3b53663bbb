import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RequestPace } from "./request-pace.ts";

/** A pace on a clock of its own, and requests that take 2 ms on it: 1 at once, 1 in a promise's callback. */
function pacedBy() {
  let nowMs = 0;
  const begun: number[] = [];
  const pace = new RequestPace(() => nowMs);
  const begin = (id: number): void => {
    pace.begin(() => {
      begun.push(id);
      nowMs += 1;
      queueMicrotask(() => {
        nowMs += 1;
      });
    });
  };
  return { begun, begin };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("the pace of requests", () => {
  test("begins a request at once", () => {
    const { begun, begin } = pacedBy();
    begin(0);
    expect(begun).toEqual([0]);
  });

  test("begins those that come all at once in order, some per turn of the event loop", async () => {
    const { begun, begin } = pacedBy();
    for (const id of ids(20)) begin(id);
    const perTurn = [begun.length];
    while (begun.length < 20) {
      const before = begun.length;
      await setImmediate();
      perTurn.push(begun.length - before);
    }
    expect(begun).toEqual(ids(20));
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(5);
  });

  test("puts a request behind those that wait already", async () => {
    const { begun, begin } = pacedBy();
    for (const id of ids(8)) begin(id);
    await setImmediate();
    begin(8);
    while (begun.length < 9) await setImmediate();
    expect(begun).toEqual(ids(9));
  });
});

import { describe, expect, test } from "vitest";
import { ReadPace } from "./read-pace.ts";

/** Counts ticks of the event loop until it is stopped. */
function countTicks(): { readonly now: () => number; readonly stop: () => void } {
  let tick = 0;
  let next = setImmediate(function count() {
    tick += 1;
    next = setImmediate(count);
  });
  return { now: () => tick, stop: () => clearImmediate(next) };
}

describe("the pace of reading", () => {
  test("all readers together get only so many bytes per tick, in the order they asked", async () => {
    const pace = new ReadPace(100_000);
    const ticks = countTicks();
    const bytesIn = new Map<number, number>();
    const order: number[] = [];
    const readOften = async (reader: number): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        await pace.read(
          25_000,
          () => 25_000,
          (bytes) => bytes,
        );
        order.push(reader);
        bytesIn.set(ticks.now(), (bytesIn.get(ticks.now()) ?? 0) + 25_000);
      }
    };
    await Promise.all(Array.from({ length: 30 }, (_, reader) => readOften(reader)));
    ticks.stop();
    expect(order).toHaveLength(600);
    // Two of its own ticks may fall into one of ours.
    expect(Math.max(...bytesIn.values())).toBeLessThanOrEqual(250_000);
    expect(new Set(order.slice(0, 60)).size).toBe(30);
  });

  test("what a read did not need is there for others in the same tick, also when it failed", async () => {
    const pace = new ReadPace(1_000_000);
    const ticks = countTicks();
    const small = Array.from({ length: 50 }, (_, index) =>
      pace.read(
        1_000_000,
        () => {
          if (index % 2 === 0) throw new Error("no disk");
          return 100;
        },
        (bytes) => bytes,
      ),
    );
    const settled = await Promise.allSettled(small);
    ticks.stop();
    expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(25);
    expect(ticks.now()).toBeLessThan(3);
  });

  test("a page larger than a tick holds up the others for one tick only", async () => {
    const pace = new ReadPace(100);
    const size = (bytes: number): number => bytes;
    await pace.read(50, () => 20_000_000, size);
    expect(await pace.read(50, () => 1, size)).toBe(1);
  });
});

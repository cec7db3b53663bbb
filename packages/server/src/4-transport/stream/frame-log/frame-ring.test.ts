import { describe, expect, test } from "vitest";
import { FrameRing } from "./frame-ring.ts";

const PAGE = 64 * 1024;

/** A ring in which every page holds eight frames. */
function ringOf(frames: number, limits: { maxEvents: number; maxPages: number }): FrameRing {
  const { maxEvents, maxPages } = limits;
  const ring = new FrameRing(1, { maxEvents, maxBytes: maxPages * PAGE });
  for (let count = 0; count < frames; count++) ring.append(Buffer.alloc(PAGE / 8));
  return ring;
}

function oldestIn(ring: FrameRing, newest: number): number {
  let seq = newest;
  while (ring.find(seq - 1)) seq -= 1;
  return seq;
}

describe("the ring of newest frames", () => {
  test("keeps what some reader still waits for, beyond the usual number", () => {
    const ring = ringOf(80, { maxEvents: 8, maxPages: 100 });
    expect(oldestIn(ring, 80)).toBe(1);
    ring.release(20);
    expect(oldestIn(ring, 80)).toBe(17);
  });

  test("lets go of what every reader has, down to the usual number", () => {
    const ring = ringOf(80, { maxEvents: 8, maxPages: 100 });
    ring.release(80);
    expect(oldestIn(ring, 80)).toBe(73);
    ring.release(80);
    expect(oldestIn(ring, 80)).toBe(73);
  });

  test("never holds more than its bytes, whoever still waits", () => {
    const ring = ringOf(80, { maxEvents: 8, maxPages: 3 });
    expect(oldestIn(ring, 80)).toBe(57);
  });

  test("has the newest frame even where that alone is too large", () => {
    const ring = new FrameRing(1, { maxEvents: 1, maxBytes: 1 });
    ring.append(Buffer.alloc(2 * PAGE));
    ring.append(Buffer.alloc(2 * PAGE));
    ring.release(2);
    expect(oldestIn(ring, 2)).toBe(2);
  });
});

import { expect, test } from "vitest";
import { createElapsedClock } from "./elapsed-clock.ts";

function sources() {
  const time = { day: 1_000_000, count: 50 };
  const now = createElapsedClock({ timeOfDay: () => time.day, monotonic: () => time.count });
  return { time, now };
}

test("elapsed time advances when the clock is set back by an hour", () => {
  const { time, now } = sources();
  const before = now();
  time.day += 1_000 - 3_600_000;
  time.count += 1_000;
  expect(now() - before).toBe(1_000);
  time.day += 500;
  time.count += 500;
  expect(now() - before).toBe(1_500);
});

test("the time a machine slept counts, though its monotonic clock stood still", () => {
  const { time, now } = sources();
  const before = now();
  time.day += 60_000;
  expect(now() - before).toBe(60_000);
});

test("elapsed time never goes back", () => {
  const { time, now } = sources();
  const before = now();
  time.day -= 10;
  time.count -= 10;
  expect(now()).toBe(before);
});

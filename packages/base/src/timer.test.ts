import { expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { startTimer } from "./timer.ts";

/** A clock whose one wait ends when the test says so. */
function heldClock(): { readonly clock: Clock; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { clock: { now: () => 0, wait: () => ended }, end: () => end() };
}

test("a timer calls back once after its wait", async () => {
  const { clock, end } = heldClock();
  const called = new Promise((resolve) => {
    startTimer(clock, 10, () => resolve("called"));
  });
  end();
  expect(await called).toBe("called");
});

test("a cancelled timer never calls back, even if its wait has just ended", async () => {
  const { clock, end } = heldClock();
  let calls = 0;
  const cancel = startTimer(clock, 10, () => (calls += 1));
  end();
  cancel();
  await Promise.resolve().then(() => undefined);
  expect(calls).toBe(0);
});

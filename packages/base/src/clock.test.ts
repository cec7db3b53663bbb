import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("the system clock waits longer than one timer of Node can", async () => {
  const abort = new AbortController();
  const sixtyDays = systemClock.wait(60 * 24 * 60 * 60_000, abort.signal).then(() => "60 days");
  // Node fires a timer that is too long after 1 ms, so the order of these two shows it.
  const shorter = systemClock.wait(20).then(() => "20 ms");
  expect(await Promise.race([sixtyDays, shorter])).toBe("20 ms");
  abort.abort();
  await sixtyDays;
});

test("the system clock stops waiting when the signal aborts, and at once when it already has", async () => {
  const abort = new AbortController();
  const waiting = systemClock.wait(60_000, abort.signal);
  abort.abort();
  await expect(waiting).resolves.toBeUndefined();
  await expect(systemClock.wait(60_000, abort.signal)).resolves.toBeUndefined();
});

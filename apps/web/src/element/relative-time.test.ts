import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

test.each([
  [-5_000, "now"],
  [59_999, "now"],
  [60_000, "1m ago"],
  [3_600_000, "1h ago"],
  [47 * 3_600_000, "1d ago"],
  [65 * 86_400_000, "2mo ago"],
  [800 * 86_400_000, "2y ago"],
])("an age of %i ms reads %s", (age, words) => {
  const now = new Date("2026-11-15T12:00:00Z");
  expect(relativeTime(new Date(now.getTime() - age).toISOString(), now)).toBe(words);
});

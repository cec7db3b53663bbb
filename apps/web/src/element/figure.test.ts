import { expect, test } from "vitest";
import { costText, counted, countText, durationText, elapsedText } from "./figure.ts";

test.each([
  [40, "<0.1 s"],
  [1_240, "1.2 s"],
  [9_960, "10 s"],
  [59_400, "59 s"],
  [185_000, "3 min 5 s"],
  [7_380_000, "2 h 3 min"],
])("%d ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1k"],
  [1_240, "1.2k"],
  [45_300, "45k"],
  [999_600, "1M"],
  [3_400_000, "3.4M"],
])("%d is about %s", (count, text) => {
  expect(countText(count)).toBe(text);
});

test("small sums keep their places", () => {
  expect(costText(0.0123)).toBe("$0.0123");
  expect(costText(1.5)).toBe("$1.50");
});

test("one is singular, all else plural", () => {
  expect([0, 1, 1_234].map((count) => counted(count, "match", "matches"))).toEqual([
    "0 matches",
    "1 match",
    "1,234 matches",
  ]);
});

test.each([
  [-500, "0 s"],
  [7_900, "7 s"],
  [65_000, "1:05"],
  [3_729_000, "1:02:09"],
])("%d ms read as %s", (ms, text) => {
  expect(elapsedText(ms)).toBe(text);
});

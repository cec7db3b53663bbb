import { expect, test } from "vitest";
import { elapsedText } from "./elapsed.ts";

test.each([
  [-500, "0 s"],
  [7_900, "7 s"],
  [65_000, "1:05"],
  [3_729_000, "1:02:09"],
])("%d ms read as %s", (ms, text) => {
  expect(elapsedText(ms)).toBe(text);
});

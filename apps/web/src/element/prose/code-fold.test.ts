import { expect, test } from "vitest";
import { linesOfCode, SHOWN_LINES } from "./code-fold.ts";

const code = (lines: number) => Array.from({ length: lines }, (_, index) => `${index}\n`).join("");

test("short code is shown whole, also a little over the limit", () => {
  for (const lines of [0, 1, SHOWN_LINES, SHOWN_LINES + 10]) {
    expect(linesOfCode(code(lines))).toEqual({ first: code(lines), hidden: 0 });
  }
});

test("long code is folded to its first lines", () => {
  const { first, hidden } = linesOfCode(code(2_000));
  expect(first.split("\n")).toHaveLength(SHOWN_LINES);
  expect(hidden).toBe(2_000 - SHOWN_LINES);
});

import { describe, expect, test } from "vitest";
import {
  closingLine,
  fileLine,
  formatDuration,
  laneTimeLines,
  repeatLines,
  slowestTestLines,
  statusText,
} from "./run-summary.ts";

test.each([
  [0, "0.0 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 00 s"],
  [125_400, "2 min 05 s"],
])("%i ms are shown as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

describe("the line of a file", () => {
  const file = {
    lane: "unit",
    path: "a.test.ts",
    isFailed: false,
    tests: 3,
    failed: 0,
    skipped: 0,
  };

  test("has its lane, its tests and its time", () => {
    expect(fileLine({ ...file, durationMs: 210 })).toBe("ok unit a.test.ts (3 tests, 0.2 s)");
  });

  test("counts what failed and what was skipped", () => {
    const failed = { ...file, isFailed: true, tests: 1, failed: 1, skipped: 2, durationMs: 0 };
    expect(fileLine(failed)).toBe("FAILED unit a.test.ts (1 test, 1 failed, 2 skipped, 0.0 s)");
  });
});

test("the status line shows the lanes that run, and progress", () => {
  const progress = { files: { done: 2, total: 9 }, passed: 5, failed: 1, elapsedMs: 61_000 };
  expect(statusText({ lanes: ["unit", "browser"], ...progress })).toBe(
    "unit, browser | files 2/9 | 5 passed, 1 failed | 1 min 01 s",
  );
  expect(statusText({ lanes: [], ...progress })).toMatch(/^starting \|/);
});

test("lanes are a table with aligned numbers", () => {
  expect(laneTimeLines([{ lane: "unit", files: 12, wallMs: 1000, sumMs: 61_000 }])).toEqual([
    "Time per lane",
    "  lane  files   wall  sum of files",
    "  unit     12  1.0 s    1 min 01 s",
  ]);
});

test("the slowest tests come first, and no more than asked for", () => {
  const tests = [1, 30, 20].map((seconds) => ({
    lane: "unit",
    path: "a.test.ts",
    name: `takes ${seconds} s`,
    durationMs: seconds * 1000,
  }));
  expect(slowestTestLines(tests, 2)).toEqual([
    "Slowest tests",
    "  30.0 s  unit a.test.ts > takes 30 s",
    "  20.0 s  unit a.test.ts > takes 20 s",
  ]);
});

test("what failed is repeated with its seed, and a soak as a soak", () => {
  const failed = [{ lane: "browser", path: "a.browser.test.ts" }];
  expect(repeatLines(failed, { seed: 7, isSoak: false })).toEqual([
    "Repeat",
    "  npx vitest run --project browser a.browser.test.ts --sequence.seed=7",
  ]);
  expect(repeatLines(failed, { seed: 7, isSoak: true })[1]).toMatch(/^ {2}TURNWIRE_SOAK=1 npx/);
});

test("the closing line is the one that CI reads", () => {
  expect(closingLine({ passed: 3, failed: 1, skipped: 0 })).toBe("3 passed, 1 failed, 0 skipped");
});

import { describe, expect, test } from "vitest";
import { failedTests, flakyTests, type TestReport } from "./flaky-test.ts";

const report: TestReport = {
  testResults: [
    {
      name: "/repository/a.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { fullName: "one", status: "passed", failureMessages: [] },
        { fullName: "two", status: "failed", failureMessages: ["expected 1\nat line 3"] },
      ],
    },
    {
      name: "/repository/b.test.ts",
      status: "failed",
      message: "Cannot find module\nstack",
      assertionResults: [],
    },
    { name: "/repository/c.test.ts", status: "passed", message: "", assertionResults: [] },
  ],
};

describe("a stress run", () => {
  test("names each failed test, and a file that could not be run", () => {
    expect(failedTests(report, "/repository")).toEqual([
      { path: "a.test.ts", name: "two", message: "expected 1" },
      { path: "b.test.ts", name: "(the file)", message: "Cannot find module" },
    ]);
  });

  test("lists a test once with all seeds it failed with, the most frequent first", () => {
    const rare = { path: "a.test.ts", name: "rare", message: "x" };
    const frequent = { path: "b.test.ts", name: "frequent", message: "y" };
    const runs = [
      { seed: 1, failed: [rare, frequent] },
      { seed: 2, failed: [] },
      { seed: 3, failed: [frequent] },
    ];
    expect(flakyTests(runs)).toEqual([
      { ...frequent, seeds: [1, 3] },
      { ...rare, seeds: [1] },
    ]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { speedFaults, type TestText, unusedExceptions } from "./support/waiting-rule.ts";

const root = join(import.meta.dirname, "..");

/** Tests, what supports them, and the contract suites. */
function testCode(): TestText[] {
  return ["packages", "apps", "examples", "tools", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) =>
        relative(root, join(root, folder, name))
          .split(sep)
          .join("/"),
      )
      .filter(
        (path) =>
          /\.tsx?$/.test(path) &&
          !/(^|\/)(node_modules|dist)\//.test(path) &&
          /\.test\.tsx?$|\/test-support\/|^test\/|^packages\/conformance\/src\//.test(path),
      )
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  );
}

const step = "step the demo agent by DemoSteps, not by a delay";
const event = "wait for an event, not for time to pass";
const limit = "set no limit below the runner's";

describe("a test that depends on the machine's speed", () => {
  test.each([
    ["demo({ delayMs: 2 })", step],
    ["demo()", step],
    ["sessions.create({ params: { delay_ms: 25 } })", step],
    ['import { setTimeout as wait } from "node:timers/promises";', event],
    ["await new Promise((resolve) => setTimeout(resolve, 100));", event],
    ["await systemClock.wait(100);", event],
    ["await page.waitForTimeout(500);", event],
    ["await vi.waitFor(check);", "use expect.poll, which waits as long as the runner does"],
    ["fetch(url, { signal: AbortSignal.timeout(1_000) })", "let the runner end what hangs"],
    ["await locator.waitFor({ timeout: 5_000 });", limit],
    ["await expect.poll(read, { timeout: 30_000 }).toBe(1);", limit],
    ['test("slow", { timeout: 60_000 }, async () => {', limit],
    ['test("slow", async () => {\n  await work();\n}, 60_000);', limit],
    ["page.setDefaultTimeout(60_000);", limit],
    ["steps.run();\n  expect(await topOf(read)).toBe(before);", "compare layout between two steps"],
    [
      "steps.run();\n  expect((await row.boundingBox())?.y).toBe(12);",
      "compare layout between two steps",
    ],
  ])("is found: %s", (text, advice) => {
    expect(speedFaults({ path: "a.test.ts", text })).toEqual([`a.test.ts: ${advice}`]);
  });

  test.each([
    "demo({ delayMs: 0 })",
    'expect(state).toEqual({ type: "waiting", attempt: 3, delayMs: 2000 });',
    "await steps.next(4);\n  expect(await topOf(read)).toBe(before);",
    "const timer = setTimeout(callback, delayMs);",
    "const limits = { timeout: 600_000 };",
    'const input = { command: "npm test", timeout: 5 };',
  ])("is not: %s", (text) => {
    expect(speedFaults({ path: "a.test.ts", text })).toEqual([]);
  });

  test("is none of ours", () => {
    expect(testCode().flatMap(speedFaults)).toEqual([]);
  });

  test("has an exception only where one is needed", () => {
    expect(unusedExceptions(testCode())).toEqual([]);
  });
});

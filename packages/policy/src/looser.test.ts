import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateCommand } from "./evaluate.ts";
import { isLooser } from "./looser.ts";
import { defaultPolicy, parsePolicy, withRules } from "./policy.ts";
import { projectFacts } from "./test-support/project.ts";
import { createRandom, randomScript } from "./test-support/random-script.ts";
import { isStricter } from "./verdict.ts";

const policy = parsePolicy({
  version: 1,
  modes: {
    tester: { extends: "planner", actions: { project_code: "allow" } },
    careful: { extends: "implementation", actions: { git_remote: "ask", install: "ask" } },
    online: { extends: "implementation", network: { hosts: ["example.com"] } },
    published: {
      extends: "implementation",
      argv: [{ id: "publish", argv: ["npm", "publish"], verdict: "allow", reason: "releases" }],
    },
    unpublished: {
      extends: "implementation",
      argv: [{ id: "publish", argv: ["npm", "publish"], verdict: "deny", reason: "not here" }],
    },
    tools: {
      extends: "implementation",
      tools: [{ id: "tickets", tools: ["mcp__tickets__*"], verdict: "allow", reason: "ours" }],
    },
    guarded: {
      extends: "implementation",
      paths: [{ id: "ci", paths: [".github/"], access: "write", verdict: "ask", reason: "CI" }],
    },
  },
});

describe("a change of the policy mode", () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    ["implementation", "planner", false],
    ["unrestricted", "planner", false],
    ["unrestricted", "implementation", false],
    ["planner", "implementation", true],
    ["implementation", "unrestricted", true],
    ["planner", "tester", true],
    ["tester", "planner", false],
    ["implementation", "careful", false],
    ["careful", "implementation", true],
    ["implementation", "online", true],
    ["online", "implementation", false],
    ["implementation", "published", true],
    ["implementation", "unpublished", false],
    ["unpublished", "implementation", true],
    ["implementation", "tools", true],
    ["tools", "implementation", false],
    ["implementation", "guarded", false],
    ["guarded", "implementation", true],
    ["planner", "planner", false],
    // None: the runtime asks before it changes anything.
    [undefined, "planner", false],
    [undefined, "implementation", true],
    [undefined, "unrestricted", true],
    ["planner", undefined, true],
    ["unrestricted", undefined, true],
    // A mode that is gone denied everything.
    ["gone", "planner", true],
    ["planner", "gone", true],
  ])("from %s to %s is looser: %s", (from, to, isSo) => {
    expect(isLooser(policy, { from, to })).toBe(isSo);
  });

  test("is looser where a rule of one's own holds in the next mode only", () => {
    const rule = { id: "r", kind: "tool", tool: "mcp__tickets", mode: "planner" } as const;
    const ruled = withRules(defaultPolicy(), [rule]);
    expect(isLooser(ruled, { from: "implementation", to: "planner" })).toBe(true);
  });

  test("that is not looser never allows a command that was not allowed", () => {
    const names = [...policy.modes.keys()];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom(...names),
        fc.nat().map((seed) => randomScript(createRandom(seed))),
        (from, to, script) => {
          if (isLooser(policy, { from, to })) return;
          const verdictIn = (mode: string) =>
            evaluateCommand(script, { policy, mode, facts: projectFacts }).verdict;
          expect(isStricter(verdictIn(from), verdictIn(to))).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

import { describe, expect, test } from "vitest";
import { builtInModes } from "./default-policy.ts";
import { evaluateCommand } from "./evaluate.ts";
import { actionKinds } from "./action.ts";
import { Mode } from "./mode.ts";
import { defaultPolicy, modeOf, parsePolicy } from "./policy.ts";
import { PolicyError } from "./policy-error.ts";
import { projectFacts } from "./test-support/project.ts";

function problemsOf(modes: unknown): readonly string[] {
  try {
    parsePolicy({ version: 1, modes });
  } catch (error) {
    if (error instanceof PolicyError) return error.problems;
    throw error;
  }
  return [];
}

const publish = {
  id: "no-publish",
  argv: [["npm", "pnpm"], "publish"],
  verdict: "deny",
  reason: "releases are made by people",
};

describe("a policy", () => {
  test("has built-in modes that fit their schema and decide every kind", () => {
    for (const mode of Object.values(builtInModes)) {
      expect(Mode.parse(mode)).toEqual(mode);
      expect(Object.keys(mode.actions).toSorted()).toEqual(Object.keys(actionKinds).toSorted());
    }
    expect(builtInModes["planner"]?.max_turns).toBe(30);
    expect(builtInModes["implementation"]?.max_turns).toBe(100);
  });

  test("has a version that changes with any rule, and not with the order of keys", () => {
    const first = parsePolicy({ version: 1, modes: { a: { description: "x", max_turns: 5 } } });
    const same = parsePolicy({ version: 1, modes: { a: { max_turns: 5, description: "x" } } });
    const other = parsePolicy({ version: 1, modes: { a: { max_turns: 6, description: "x" } } });
    expect(first.version).toMatch(/^[0-9a-f]{64}$/);
    expect(same.version).toBe(first.version);
    expect(other.version).not.toBe(first.version);
    expect(defaultPolicy().version).not.toBe(first.version);
  });

  test("fills a custom mode from the one it extends, through others", () => {
    const policy = parsePolicy({
      version: 1,
      modes: {
        reviewer: { extends: "tester", argv: [publish] },
        tester: { extends: "planner", actions: { project_code: "allow" } },
      },
    });
    const ask = (command: string, mode: string) =>
      evaluateCommand(command, { policy, mode, facts: projectFacts }).verdict;
    expect([ask("npm test", "planner"), ask("npm test", "reviewer")]).toEqual(["ask", "allow"]);
    expect([ask("rm x", "reviewer"), ask("env CI=1 pnpm publish", "reviewer")]).toEqual([
      "deny",
      "deny",
    ]);
  });

  test("lets a rule allow what would be asked, not what is denied, nor what surrounds it", () => {
    const rule = (id: string, argv: string[]) => ({
      id,
      argv,
      verdict: "allow",
      reason: "fine here",
    });
    const policy = parsePolicy({
      version: 1,
      modes: {
        planner: {
          argv: [
            rule("mine", ["mytool", "sync"]),
            rule("rm", ["rm"]),
            rule("hosts", ["cat", "/etc/hosts"]),
          ],
        },
      },
    });
    const ask = (command: string) =>
      evaluateCommand(command, { policy, mode: "planner", facts: projectFacts }).verdict;
    expect(ask("mytool sync --all")).toBe("allow");
    expect(ask("timeout 5 mytool sync")).toBe("allow");
    expect(ask("cat /etc/hosts")).toBe("allow");
    expect(ask("cat /etc/passwd")).toBe("ask");
    expect(ask("mytool other")).toBe("ask");
    expect(ask("./mytool sync")).toBe("ask");
    expect(ask("/tmp/mytool sync")).toBe("ask");
    expect(ask("mytool $x")).toBe("ask");
    expect(ask("mytool sync > x")).toBe("deny");
    expect(ask("mytool sync $(unknown)")).toBe("ask");
    expect(ask("PATH=/tmp mytool sync")).toBe("ask");
    expect(ask("rm x")).toBe("deny");
  });

  test("asks where a rule may fit once the words are known", () => {
    const policy = parsePolicy({
      version: 1,
      modes: {
        planner: {
          argv: [{ id: "no-secret", argv: ["cat", "secret"], verdict: "deny", reason: "no" }],
        },
      },
    });
    const ask = (command: string) =>
      evaluateCommand(command, { policy, mode: "planner", facts: projectFacts }).verdict;
    expect([
      ask("cat secret"),
      ask("/bin/cat secret"),
      ask("cat 'sec'ret"),
      ask("cat s*"),
      ask("cat other"),
    ]).toEqual(["deny", "deny", "deny", "ask", "allow"]);
  });

  test("is refused when an example does not fit, and when one fits that must not", () => {
    expect(
      problemsOf({
        a: { argv: [{ ...publish, match: ["npm publish --tag x"], not_match: ["npm test"] }] },
      }),
    ).toEqual([]);
    expect(
      problemsOf({
        a: { argv: [{ ...publish, match: ["npm test"], not_match: ["ls; npm publish"] }] },
      }),
    ).toEqual([
      "modes.a: the rule no-publish does not fit its example: npm test",
      "modes.a: the rule no-publish fits an example that it must not fit: ls; npm publish",
    ]);
  });

  test.each([
    ["an unknown mode to extend", { a: { extends: "none" } }, 'there is no mode "none" to extend'],
    ["a mode that extends itself", { a: { extends: "b" }, b: { extends: "a" } }, "extends itself"],
    ["an unknown key", { a: { reads: "allow" } }, "Unrecognized key"],
    ["an unknown kind", { a: { actions: { fly: "allow" } } }, "modes.a.actions"],
    ["an unknown verdict", { a: { other_tools: "maybe" } }, "modes.a.other_tools"],
    ["a bad name", { "A b": {} }, "a mode's name has"],
    [
      "two rules of one id",
      { a: { argv: [publish, publish] } },
      "two rules have the id no-publish",
    ],
    ["no turns at all", { a: { max_turns: 0 } }, "modes.a.max_turns"],
    ["an empty pattern", { a: { argv: [{ ...publish, argv: [] }] } }, "modes.a.argv.0.argv"],
  ])("names %s", (_, modes, problem) => {
    expect(problemsOf(modes).join("\n")).toContain(problem);
  });

  test("names all problems at once", () => {
    expect(problemsOf({ a: { other_tools: "x", max_turns: 0 } })).toHaveLength(2);
    expect(() => parsePolicy("text")).toThrow(PolicyError);
    expect(() => parsePolicy(undefined)).toThrow(PolicyError);
  });

  test("has no mode but those it names", () => {
    expect(() => modeOf(defaultPolicy(), "x")).toThrow(
      'There is no mode "x". There are: planner, implementation, unrestricted.',
    );
  });
});

import { readFileSync } from "node:fs";
import { allowRuleProblems, evaluateCommand, parsePolicy } from "@turnwire/policy";
import { PolicyRuleInput } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";

const guide = readFileSync(new URL("../docs/guides/use-policies.md", import.meta.url), "utf8");

function fences(language: string): string[] {
  return Array.from(
    guide.matchAll(new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``, "g")),
    ([, text = ""]) => text,
  );
}

describe("the guide to policies", () => {
  const [file = "", rules = ""] = fences("json");
  const cases = fences("jsonl").flatMap((text) => text.split("\n"));

  test("shows a policy file that is in order", () => {
    expect([...parsePolicy(JSON.parse(file)).modes.keys()]).toContain("reviewer");
    expect(cases).toHaveLength(7);
  });

  test.each(cases)("says rightly: %s", (line) => {
    const { mode, command, verdict } = JSON.parse(line) as Record<string, string>;
    const facts = {
      cwd: "/srv/app",
      roots: ["/srv/app"],
      home: "/home/me",
      realPath: () => undefined,
    };
    const policy = parsePolicy(JSON.parse(file));
    expect(evaluateCommand(command ?? "", { policy, mode: mode ?? "", facts }).verdict).toBe(
      verdict,
    );
  });

  test("shows rules that can be added", () => {
    const given = JSON.parse(rules) as unknown[];
    expect(given).toHaveLength(4);
    for (const rule of given) {
      expect(allowRuleProblems(PolicyRuleInput.parse(rule))).toEqual([]);
    }
  });

  test("names commands that there are", () => {
    const source = readFileSync(
      new URL("../packages/cli/src/command/policy.ts", import.meta.url),
      "utf8",
    );
    const named = fences("sh").flatMap((text) =>
      Array.from(text.matchAll(/turnwire policy ([a-z]+)/g), ([, action = ""]) => action),
    );
    expect(named.length).toBeGreaterThan(6);
    for (const action of named) expect(source).toContain(`"policy ${action}`);
  });
});

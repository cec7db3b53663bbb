import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultPolicy, withRules } from "./policy.ts";
import { suggestedRule } from "./suggested-rule.ts";
import { projectFacts } from "./test-support/project.ts";
import { evaluateToolCall } from "./tool-call.ts";

const context = {
  policy: defaultPolicy(),
  mode: "planner",
  facts: projectFacts,
  containment: "kernel" as const,
};
const suggest = (command: string) => suggestedRule({ tool: "Bash", input: { command } }, context);

describe("the rule that is suggested", () => {
  test.each([
    ["npm test", { kind: "argv", argv: ["npm", "test"], is_exact: true }],
    ["cd src && npm test", { kind: "argv", argv: ["npm", "test"], is_exact: true }],
    ["timeout 5 mytool 'a b'", { kind: "argv", argv: ["mytool", "a b"], is_exact: true }],
    ["mytool sync src/*.ts", { kind: "argv", argv: ["mytool", "sync"] }],
    ["./build.sh --all", { kind: "argv", argv: ["./build.sh", "--all"], is_exact: true }],
    ["cat /etc/hosts | head", { kind: "path", path: "/etc/hosts", access: "read" }],
    ["cat outside/hosts", { kind: "path", path: "/etc/hosts", access: "read" }],
    ["cat .env", { kind: "path", path: "/work/app/.env", access: "read" }],
    ["curl -s https://example.com/a", { kind: "host", host: "example.com" }],
    [
      "cat /etc/hosts /etc/fstab",
      { kind: "argv", argv: ["cat", "/etc/hosts", "/etc/fstab"], is_exact: true },
    ],
  ])("for %s is as narrow as it can be", (command, rule) => {
    expect(suggest(command)).toEqual(rule);
  });

  test("is the tool for a tool that no rule names, and the file for a tool that reads one", () => {
    expect(suggestedRule({ tool: "mcp__a__b", input: {} }, context)).toEqual({
      kind: "tool",
      tool: "mcp__a__b",
    });
    expect(suggestedRule({ tool: "Read", input: { file_path: "/etc/hosts" } }, context)).toEqual({
      kind: "path",
      path: "/etc/hosts",
      access: "read",
    });
  });

  test.each([
    ["is allowed", "ls"],
    ["is denied anyway", "mytool > x"],
    ["needs two rules", "mytool && curl https://example.com"],
    ["is known only when it runs", '"$tool" sync'],
    ["would be any inline code", 'python3 -c "$code"'],
    ["sets a variable that matters", "PATH=/tmp mytool"],
    ["is not a shell", "echo 'open"],
  ])("is none for what %s", (_, command) => {
    expect(suggest(command)).toBeUndefined();
  });

  test("is one with which the same call is allowed, whatever was asked", () => {
    const commands = readFileSync(
      new URL("./test-support/corpus/planner.jsonl", import.meta.url),
      "utf8",
    )
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): string => JSON.parse(line).command);
    expect(commands.length).toBeGreaterThan(200);
    let suggested = 0;
    fc.assert(
      fc.property(fc.constantFrom(...commands), (command) => {
        const call = { tool: "Bash", input: { command } };
        const before = evaluateToolCall(call, context).verdict;
        const rule = suggestedRule(call, context);
        if (!rule) return true;
        suggested += 1;
        const policy = withRules(context.policy, [{ id: "own-1", ...rule }]);
        return (
          before === "ask" && evaluateToolCall(call, { ...context, policy }).verdict === "allow"
        );
      }),
      { numRuns: 300 },
    );
    expect(suggested).toBeGreaterThan(0);
  });
});

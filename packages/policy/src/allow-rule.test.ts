import { describe, expect, test } from "vitest";
import { type AllowedThing, type AllowRule, allowRuleProblems } from "./allow-rule.ts";
import { evaluateCommand } from "./evaluate.ts";
import { defaultPolicy, parsePolicy, withRules } from "./policy.ts";
import { projectFacts } from "./test-support/project.ts";
import { evaluateToolCall } from "./tool-call.ts";

function asker(rule: AllowedThing & Partial<AllowRule>, policy = defaultPolicy()) {
  const context = {
    policy: withRules(policy, [{ id: "own-1", ...rule }]),
    mode: "planner",
    facts: projectFacts,
    containment: "kernel" as const,
  };
  return {
    command: (text: string, mode = "planner") =>
      evaluateCommand(text, { ...context, mode }).verdict,
    evaluate: (text: string) => evaluateCommand(text, context),
    tool: (tool: string, input: unknown = {}) => evaluateToolCall({ tool, input }, context).verdict,
  };
}

describe("a person's own rule", () => {
  test("on words allows the command that would be asked, and says which rule did", () => {
    const ask = asker({ kind: "argv", argv: ["npm", "test"] });
    expect(ask.evaluate("npm test -- --watch")).toMatchObject({
      verdict: "allow",
      rule: "own-1",
      reason: expect.stringContaining("a rule of your own allows it"),
    });
    expect(ask.command("npm run build")).toBe("ask");
    expect(ask.command("npm test > log.txt")).toBe("deny");
    expect(ask.command("npm test; unknown")).toBe("ask");
    expect(ask.command("npm test $(unknown)")).toBe("ask");
    expect(ask.command("PATH=/tmp npm test")).toBe("ask");
  });

  test("that is exact allows these words and no more", () => {
    const ask = asker({ kind: "argv", argv: ["mytool", "sync"], is_exact: true });
    expect(ask.command("mytool sync")).toBe("allow");
    expect(ask.command("timeout 5 mytool sync")).toBe("allow");
    expect(ask.command("mytool sync --all")).toBe("ask");
    expect(ask.command("mytool sync $x")).toBe("ask");
    expect(ask.command("mytool sync *")).toBe("ask");
    expect(ask.command("mytool")).toBe("ask");
  });

  test("never allows what is denied, by the mode or by a rule", () => {
    expect(asker({ kind: "argv", argv: ["rm"] }).command("rm x")).toBe("deny");
    expect(asker({ kind: "tool", tool: "Write" }).tool("Write", { file_path: "a" })).toBe("deny");
    const path = asker({ kind: "path", path: "/etc/hosts", access: "write" });
    expect(path.command("echo > /etc/hosts")).toBe("deny");
    const closed = parsePolicy({ version: 1, modes: { planner: { network: { other: "deny" } } } });
    expect(
      asker({ kind: "host", host: "example.com" }, closed).command("curl https://example.com"),
    ).toBe("deny");
  });

  test("answers for a rule that asks, not for one that may turn out to deny", () => {
    const policy = parsePolicy({
      version: 1,
      modes: {
        planner: {
          argv: [
            { id: "careful", argv: ["mytool"], verdict: "ask", reason: "look first" },
            { id: "no-all", argv: ["mytool", "sync", "all"], verdict: "deny", reason: "too much" },
          ],
        },
      },
    });
    const ask = asker({ kind: "argv", argv: ["mytool", "sync"] }, policy);
    expect(ask.command("mytool sync one")).toBe("allow");
    expect(ask.command("mytool other")).toBe("ask");
    expect(ask.command("mytool sync all")).toBe("deny");
    expect(ask.command("mytool sync $(cat src/which)")).toBe("ask");
  });

  test("holds in its mode only", () => {
    const ask = asker({ kind: "argv", argv: ["mytool"], mode: "planner" });
    expect(ask.command("mytool", "planner")).toBe("allow");
    expect(ask.command("mytool", "implementation")).toBe("ask");
  });

  test("on a relative program means the one in the root, wherever the agent is", () => {
    const ask = asker({ kind: "argv", argv: ["./build.sh"] });
    expect(ask.command("./build.sh")).toBe("allow");
    expect(ask.command("cd src && ./build.sh")).toBe("ask");
    expect(ask.command("cd /tmp && ./build.sh")).toBe("ask");
    const elsewhere = { ...projectFacts, cwd: "/work/app/src" };
    const policy = withRules(defaultPolicy(), [{ id: "a", kind: "argv", argv: ["./build.sh"] }]);
    const context = { policy, mode: "planner", facts: elsewhere };
    expect(evaluateCommand("./build.sh", context).verdict).toBe("ask");
  });

  test("on a tool allows the tool, not the command that it is given", () => {
    const ask = asker({ kind: "tool", tool: "mcp__github__*" });
    expect(ask.tool("mcp__github__get_issue")).toBe("allow");
    expect(ask.tool("mcp__other__get_issue")).toBe("ask");
    expect(asker({ kind: "tool", tool: "Bash" }).tool("Bash", { command: "unknown" })).toBe("ask");
  });

  test("on a host allows that host", () => {
    const ask = asker({ kind: "host", host: "*.example.com" });
    expect(ask.command("curl https://a.example.com/x")).toBe("allow");
    expect(ask.command("curl https://example.com.evil.org")).toBe("ask");
    expect(ask.command('curl "$URL"')).toBe("ask");
    expect(ask.command("curl https://a.example.com https://evil.org")).toBe("ask");
  });

  test("on a path allows the real path alone", () => {
    const ask = asker({ kind: "path", path: "/etc/hosts", access: "read" });
    expect(ask.command("cat /etc/hosts")).toBe("allow");
    expect(ask.command("cat outside/hosts")).toBe("allow");
    expect(ask.tool("Read", { file_path: "/etc/hosts" })).toBe("allow");
    expect(ask.command("cat /etc/host*")).toBe("ask");
    expect(ask.command("cat /etc/HOSTS")).toBe("ask");
    expect(ask.command("cat /etc/hosts /etc/passwd")).toBe("ask");
    expect(ask.command("grep -r x /etc")).toBe("ask");
  });

  test("on a directory allows what is below it, but for what the mode asks about by name", () => {
    const ask = asker({ kind: "path", path: "~/notes/", access: "read" });
    expect(ask.command("cat ~/notes/a/b.md")).toBe("allow");
    expect(ask.command("cat ~/notes/*.md")).toBe("allow");
    expect(ask.command("cat ~/notes/../other")).toBe("ask");
    expect(ask.command("cat ~/notes-too/a")).toBe("ask");
    expect(ask.command("cat ~/*/a")).toBe("ask");
    expect(ask.command("cat ~/notes/.env")).toBe("ask");
    const byName = asker({ kind: "path", path: "/work/app/.env", access: "read" });
    expect(byName.command("cat .env")).toBe("allow");
  });

  test("changes the version of the policy", () => {
    const policy = defaultPolicy();
    const rule = { id: "own-1", kind: "tool", tool: "X" } as const;
    expect(withRules(policy, []).version).toBe(policy.version);
    expect(withRules(policy, [rule]).version).not.toBe(policy.version);
    expect(withRules(policy, [rule]).version).not.toBe(
      withRules(policy, [{ ...rule, tool: "Y" }]).version,
    );
  });

  test.each<[AllowedThing, string]>([
    [{ kind: "argv", argv: ["npm test"] }, "write each word by itself"],
    [{ kind: "argv", argv: ["npm", ""] }, "empty"],
    [{ kind: "argv", argv: ["a\u0000b"] }, "control"],
    [{ kind: "tool", tool: "*" }, "every tool"],
    [{ kind: "path", path: "src/a", access: "read" }, "must begin with / or ~/"],
    [{ kind: "path", path: "/a/../b", access: "read" }, "without . and .."],
    [{ kind: "path", path: "/", access: "write" }, "must name a file"],
    [{ kind: "path", path: "/a/*", access: "read" }, "cannot have *"],
    [{ kind: "host", host: "https://example.com" }, "without scheme"],
    [{ kind: "host", host: "*" }, "must be a name"],
    [{ kind: "host", host: "a.com:80" }, "port"],
  ])("names what is wrong with %j", (rule, problem) => {
    expect(allowRuleProblems(rule).join("\n")).toContain(problem);
  });

  test.each<AllowedThing>([
    { kind: "argv", argv: [["npm", "pnpm"], "run", "a b"] },
    { kind: "tool", tool: "mcp__a__*" },
    { kind: "path", path: "~/notes/", access: "write" },
    { kind: "host", host: "*.example.com" },
    { kind: "host", host: "[::1]" },
    { kind: "host", host: "10.0.0.1" },
  ])("may be %j", (rule) => {
    expect(allowRuleProblems(rule)).toEqual([]);
  });
});

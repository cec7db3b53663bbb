import { describe, expect, test } from "vitest";
import { defaultPolicy, parsePolicy, type Policy } from "./policy.ts";
import { projectFacts } from "./test-support/project.ts";
import { evaluateToolCall } from "./tool-call.ts";

function verdictOf(tool: string, input: unknown, mode: string, policy: Policy = defaultPolicy()) {
  return evaluateToolCall({ tool, input }, { policy, mode, facts: projectFacts }).verdict;
}

describe("a tool call", () => {
  test.each([
    ["Read", { file_path: "src/a.ts" }, "allow", "allow"],
    ["Read", { file_path: "/work/app/src/a.ts" }, "allow", "allow"],
    ["Read", { file_path: "/etc/passwd" }, "ask", "ask"],
    ["Read", { file_path: "outside/passwd" }, "ask", "ask"],
    ["Read", { file_path: ".env" }, "ask", "ask"],
    ["Read", {}, "ask", "ask"],
    ["Read", null, "ask", "ask"],
    ["Read", { file_path: "a\u0000b" }, "ask", "ask"],
    ["Glob", { pattern: "**/*.ts" }, "allow", "allow"],
    ["Glob", { pattern: "/etc/*" }, "ask", "ask"],
    ["Glob", { pattern: "../*", path: "src" }, "ask", "ask"],
    ["Grep", { pattern: "x", path: "/etc" }, "ask", "ask"],
    ["Write", { file_path: "src/a.ts", content: "" }, "deny", "allow"],
    ["Write", { file_path: "/etc/x", content: "" }, "deny", "deny"],
    ["Write", { file_path: "../x", content: "" }, "deny", "ask"],
    ["Write", { file_path: " /etc/x", content: "" }, "deny", "deny"],
    ["Write", { file_path: "hooks/../../x", content: "" }, "deny", "ask"],
    ["Write", { file_path: " .git/hooks/x", content: "" }, "deny", "deny"],
    ["Write", { file_path: "~/.bashrc", content: "" }, "deny", "deny"],
    ["Edit", { file_path: "\t~/notes.md " }, "deny", "ask"],
    ["Read", { file_path: "~/.ssh/id_ed25519" }, "ask", "ask"],
    ["Glob", { pattern: "~/*" }, "ask", "ask"],
    ["Write", { file_path: ".claude/settings.json", content: "" }, "deny", "deny"],
    ["Write", { file_path: ".git/hooks/pre-commit", content: "" }, "deny", "deny"],
    ["Write", { file_path: "hooks/pre-commit", content: "" }, "deny", "deny"],
    ["Edit", { file_path: ".MCP.json" }, "deny", "deny"],
    ["MultiEdit", { file_path: "a.ts" }, "deny", "allow"],
    ["NotebookEdit", { notebook_path: ".vscode/x.ipynb" }, "deny", "deny"],
    ["Bash", { command: "ls" }, "allow", "allow"],
    ["Bash", { command: "rm -rf /" }, "deny", "deny"],
    ["Bash", { command: 7 }, "ask", "ask"],
    ["Bash", {}, "ask", "ask"],
    ["Task", { prompt: "x" }, "ask", "allow"],
    ["WebSearch", { query: "x" }, "ask", "allow"],
    ["WebFetch", { url: "https://example.com/x" }, "ask", "allow"],
    ["WebFetch", { url: "http://169.254.169.254/latest" }, "ask", "ask"],
    ["WebFetch", { url: "file:///etc/passwd" }, "ask", "ask"],
    ["WebFetch", { url: "https://user@10.0.0.1" }, "ask", "ask"],
    ["mcp__x__y", {}, "ask", "ask"],
    ["TodoWrite", {}, "allow", "allow"],
  ])("%s %j is %s for a planner, %s for an implementer", (tool, input, planner, implementer) => {
    expect([verdictOf(tool, input, "planner"), verdictOf(tool, input, "implementation")]).toEqual([
      planner,
      implementer,
    ]);
  });

  test("is judged by the strictest rule on tools that fits its name", () => {
    const rule = (id: string, tools: string[], verdict: string) => ({
      id,
      tools,
      verdict,
      reason: "x",
    });
    const policy = parsePolicy({
      version: 1,
      modes: {
        mine: {
          tools: [
            rule("docs", ["mcp__docs__*"], "allow"),
            rule("no-delete", ["mcp__*__delete"], "deny"),
          ],
        },
      },
    });
    expect(verdictOf("mcp__docs__search", {}, "mine", policy)).toBe("allow");
    expect(verdictOf("mcp__docs__delete", {}, "mine", policy)).toBe("deny");
    expect(verdictOf("mcp__other__search", {}, "mine", policy)).toBe("ask");
  });

  test("may be anything in the mode unrestricted", () => {
    expect(verdictOf("Write", { file_path: ".git/config" }, "unrestricted")).toBe("allow");
    expect(verdictOf("mcp__x", {}, "unrestricted")).toBe("allow");
  });
});

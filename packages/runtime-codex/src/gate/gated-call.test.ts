import { readFileSync } from "node:fs";
import { defaultPolicy, evaluateToolCall } from "@turnwire/policy";
import type { JsonValue } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { GatedCall } from "@turnwire/runtime";
import { callFromCommand, callsFromChanges, callsFromPermission } from "./gated-call.ts";

const cwd = "/work/project";
const policy = defaultPolicy();
const existing = new Set(["/", "/work", cwd, "/etc", "/tmp"]);

function verdictOf(call: GatedCall, mode = "planner"): string {
  const realPath = (path: string) => (existing.has(path) ? path : undefined);
  const facts = { cwd, roots: [cwd], realPath, home: "/home/somebody" };
  return evaluateToolCall(call, { policy, mode, facts }).verdict;
}

function corpus(mode: string): { command: string }[] {
  const path = `../../../policy/src/test-support/corpus/${mode}.jsonl`;
  const lines = readFileSync(new URL(path, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("a command of Codex", () => {
  test.each(["planner", "implementation"])(
    "in the shell that Codex puts round it is judged as the command itself, in mode %s",
    (mode) => {
      const different = corpus(mode).filter(({ command }) => {
        const bare = verdictOf({ tool: "Bash", input: { command } }, mode);
        const argv = callFromCommand({ command: ["/bin/bash", "-lc", command], cwd }, cwd);
        return verdictOf(argv, mode) !== bare;
      });
      expect(different).toEqual([]);
    },
  );

  test("is judged with the program that the model wants as its shell", () => {
    const judged = (command: string) => verdictOf(callFromCommand({ command, cwd }, cwd));
    expect(judged("/bin/bash -lc ls")).toBe("allow");
    expect(judged("/tmp/bash -lc ls")).toBe("ask");
    expect(judged("./evil.sh -c ls")).toBe("ask");
    expect(judged("/bin/zsh -lc ls")).toBe("ask");
  });

  test("is judged in the directory that the model wants to run it in", () => {
    const judged = (place: string | null) =>
      verdictOf(callFromCommand({ command: "/bin/bash -lc 'cat x'", cwd: place }, cwd));
    expect(judged(cwd)).toBe("allow");
    expect(judged(null)).toBe("allow");
    expect(judged("/etc")).toBe("ask");
    expect(callFromCommand({ command: "rm x", cwd: "/a b/'c" }, cwd).input).toEqual({
      command: String.raw`cd '/a b/'\''c' && rm x`,
    });
  });
});

describe("a patch of Codex", () => {
  test("is judged file by file, with the place that a file moves to", () => {
    const changes = [
      { path: "/work/project/a", kind: { type: "add" }, diff: "" },
      { path: "/work/project/b", kind: { type: "update", move_path: "/etc/c" }, diff: "" },
      { path: "/work/project/d", kind: { type: "delete" }, diff: "" },
    ];
    expect(callsFromChanges(changes)).toEqual([
      { tool: "Write", input: { file_path: "/work/project/a" } },
      { tool: "Edit", input: { file_path: "/work/project/b" } },
      { tool: "Write", input: { file_path: "/etc/c" } },
      { tool: "Write", input: { file_path: "/work/project/d" } },
    ]);
  });

  test("of which nothing is known is not allowed", () => {
    const verdicts = callsFromChanges([]).map((call) => verdictOf(call, "implementation"));
    expect(verdicts).toEqual(["ask"]);
  });
});

describe("a permission request of Codex that a person allows", () => {
  const judged = (tool_name: string, input: JsonValue, mode?: string): string[] =>
    callsFromPermission({ tool_name }, input).map((call) => verdictOf(call, mode));

  test("is judged as the command that it would run, where it would run it", () => {
    expect(judged("shell", { command: "git push --force" })).toEqual(["deny"]);
    expect(judged("shell", { command: "git status" })).toEqual(["allow"]);
    expect(callsFromPermission({ tool_name: "shell" }, { command: "ls", cwd: "/etc" })).toEqual([
      { tool: "Bash", input: { command: "ls" }, cwd: "/etc" },
    ]);
  });

  test("is judged as the files that it would write, also where one moves to", () => {
    const changes = [
      { path: `${cwd}/a`, kind: "update", diff: "", move_path: "/etc/b" },
      { path: `${cwd}/c`, kind: "add", diff: "" },
    ];
    expect(judged("apply_patch", { changes }, "implementation")).toEqual([
      "allow",
      "deny",
      "allow",
    ]);
  });

  test("of which nothing can be read is not allowed", () => {
    expect(judged("shell", {}, "implementation")).toEqual(["ask"]);
    expect(judged("apply_patch", { changes: "all" }, "implementation")).toEqual(["ask"]);
  });
});

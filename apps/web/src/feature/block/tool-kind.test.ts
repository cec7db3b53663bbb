import type { ToolBlock } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { toolKind, toolLine, toolName, toolsSummary } from "./tool-kind.ts";

function tool(facts: Partial<ToolBlock>): ToolBlock {
  const base = { type: "tool", key: "k", tool_use_id: "k", tool: "T", streamed: "" } as const;
  return { ...base, status: "done", ...facts };
}

test.each([
  [{ command: "ls" }, "command"],
  [{ pattern: "x", file_path: "a" }, "search"],
  [{ file_path: "a", is_file_read: true }, "read"],
  [{ file_path: "a" }, "change"],
  [{ command: "cat a", file_path: "a", is_file_read: true }, "read"],
  [{ command: "rg x", pattern: "x", is_file_read: true }, "search"],
  [{ command: "ls src", search_path: "src", is_file_read: true }, "list"],
  [{ command: "cat a; cat b", is_file_read: true }, "command"],
  [{ tool: "ExitPlanMode", input: { plan: "# Do it" } }, "plan"],
  [{ input: { url: "https://example.com" } }, "web"],
  [{ input: null }, "other"],
  [{}, "other"],
] as const)("a call with %o is a %s", (facts, kind) => {
  expect(toolKind(tool(facts))).toBe(kind);
});

test("many calls are summed up by kind, failures last", () => {
  const calls = [
    tool({ file_path: "a", is_file_read: true }),
    tool({ command: "ls", status: "failed" }),
    tool({ file_path: "b", is_file_read: true }),
  ];
  expect(toolsSummary(calls)).toBe("2 files read, 1 command, 1 failed");
});

test("a call without other facts is described by its input", () => {
  expect(toolLine(tool({ input: { prompt: "Sum it up\nplease", url: "https://a.example" } }))).toBe(
    "https://a.example",
  );
  expect(toolLine(tool({ input: { prompt: "Sum it up\nplease" } }))).toBe("Sum it up");
  expect(toolLine(tool({ input: { count: 3 } }))).toBe("Done");
  expect(toolLine(tool({ command: "ls", input: { url: "https://a.example" } }))).toBe("ls");
});

test("a command is shown whole, however long, with how it failed", () => {
  const command = `echo ${"word ".repeat(60)}> /work/project/x.txt`;
  expect(toolLine(tool({ command }))).toBe(command);
  expect(toolLine(tool({ command: "npm test", exit_code: 1, status: "failed" }))).toBe(
    "npm test · exit 1",
  );
  expect(toolLine(tool({ command: "a", status: "failed", output: "No.\nNever." }))).toBe(
    "a · No.…",
  );
  expect(toolLine(tool({ command: "a", status: "abandoned" }))).toBe("a · abandoned");
});

test("a command that only reads is named by what it does and what it reads", () => {
  const read = tool({
    tool: "shell",
    command: "cat a.ts",
    file_path: "/p/a.ts",
    is_file_read: true,
  });
  expect([toolName(read), toolLine(read)]).toEqual(["Read", "/p/a.ts"]);
  const search = tool({
    tool: "shell",
    command: "rg x src",
    pattern: "x",
    search_path: "src",
    is_file_read: true,
  });
  expect([toolName(search), toolLine(search)]).toEqual(["Search", '"x" in src']);
  expect(toolLine({ ...read, status: "running" })).toBe("/p/a.ts");
  expect(toolLine({ ...read, status: "failed", exit_code: 1 })).toBe("/p/a.ts · exit 1");
  expect(toolName(tool({ tool: "shell", command: "make" }))).toBe("shell");
});

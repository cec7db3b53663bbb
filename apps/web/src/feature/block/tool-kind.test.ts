import type { ToolBlock } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { toolKind, toolLine, toolsSummary } from "./tool-kind.ts";

function tool(facts: Partial<ToolBlock>): ToolBlock {
  const base = { type: "tool", key: "k", tool_use_id: "k", tool: "T", streamed: "" } as const;
  return { ...base, status: "done", ...facts };
}

test.each([
  [{ command: "ls" }, "command"],
  [{ pattern: "x", file_path: "a" }, "search"],
  [{ file_path: "a", is_file_read: true }, "read"],
  [{ file_path: "a" }, "change"],
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

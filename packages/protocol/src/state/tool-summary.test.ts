import { describe, expect, test } from "vitest";
import { outputText, type ToolBlock, toolSummary } from "../index.ts";

function block(facts: Partial<ToolBlock>): ToolBlock {
  return {
    type: "tool",
    key: "b1",
    tool_use_id: "x",
    tool: "Bash",
    status: "done",
    streamed: "",
    ...facts,
  };
}

const cases: { summary: string; facts: Partial<ToolBlock> }[] = [
  { summary: "Preparing Write", facts: { tool: "Write", status: "preparing" } },
  { summary: "Running", facts: { status: "running" } },
  { summary: "npm test", facts: { status: "running", command: "npm test" } },
  { summary: "npm test · abandoned", facts: { status: "abandoned", command: "npm test" } },
  { summary: "abandoned", facts: { status: "abandoned" } },
  { summary: "npm test", facts: { command: "npm test", exit_code: 0, output: "ok" } },
  { summary: "npm test · exit 1", facts: { command: "npm test", exit_code: 1, output: "no" } },
  { summary: "npm test · exit 1", facts: { status: "failed", command: "npm test", exit_code: 1 } },
  {
    summary: "a.ts · File does not exist",
    facts: { status: "failed", file_path: "a.ts", output: "File does not exist" },
  },
  { summary: "failed", facts: { status: "failed" } },
  { summary: "src/a.ts", facts: { tool: "Read", file_path: "src/a.ts", output: "1\n2" } },
  {
    summary: "3 files **/*.ts",
    facts: { tool: "Glob", pattern: "**/*.ts", output: "a\nb\n\nc\n" },
  },
  { summary: "1 file *.md", facts: { tool: "Glob", pattern: "*.md", output: "README.md" } },
  { summary: "0 files *.x", facts: { tool: "Glob", pattern: "*.x", output: "No files found" } },
  { summary: '2 matches "x"', facts: { tool: "Grep", pattern: "x", output: "a:1\nb:2" } },
  {
    summary: '12 matches "x"',
    facts: { tool: "Grep", pattern: "x", output: "Found 12 files\na\nb" },
  },
  { summary: '1 match "x"', facts: { tool: "Grep", pattern: "x", output: "a:1" } },
  { summary: "42", facts: { tool: "Ask", output: " 42 " } },
  { summary: "Done", facts: { tool: "Ask", output: "many\nlines" } },
  { summary: "Done", facts: { tool: "Ask" } },
  { summary: "cd a…", facts: { command: "cd a\nmake" } },
];

describe("a tool in one line", () => {
  test.each(cases)("is $summary", ({ summary, facts }) => {
    expect(toolSummary(block(facts))).toBe(summary);
  });

  test("is short and whole, whatever the tool printed", () => {
    const summaries = [
      toolSummary(block({ command: "😀".repeat(100), exit_code: 3 })),
      toolSummary(block({ command: `x${"😀".repeat(100)}`, exit_code: 3 })),
      toolSummary(block({ status: "failed", command: "x".repeat(99), output: "y\n".repeat(99) })),
    ];
    for (const summary of summaries) {
      expect(summary.length).toBeLessThanOrEqual(80);
      expect(summary).not.toMatch(/[\r\n]/);
      expect(() => encodeURIComponent(summary)).not.toThrow();
    }
    expect(summaries[0]).toMatch(/… · exit 3$/);
  });
});

describe("a tool's output as text", () => {
  test.each([
    { output: "text", text: "text" },
    { output: null, text: "" },
    {
      output: [{ type: "text", text: "a" }, "b", { type: "image" }],
      text: 'a\nb\n{"type":"image"}',
    },
    { output: { stdout: "x" }, text: '{"stdout":"x"}' },
    { output: 7, text: "7" },
  ])("is $text", ({ output, text }) => {
    expect(outputText(output)).toBe(text);
  });
});

import { describe, expect, test } from "vitest";
import { events, ofType, typesOf } from "../test-support/replay.ts";
import { ask, assistant, result, settled, state, toolResult } from "../test-support/spoken.ts";

const tool = (id: string, name: string, input: object = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

describe("a tool", () => {
  test.each([
    ["Bash", { command: "make" }, { command: "make" }],
    [
      "Bash",
      { command: "cat a.txt | head" },
      { command: "cat a.txt | head", file_path: "a.txt", is_file_read: true },
    ],
    ["Read", { file_path: "a.ts" }, { file_path: "a.ts", is_file_read: true }],
    ["Edit", { file_path: "a.ts" }, { file_path: "a.ts" }],
    ["NotebookEdit", { notebook_path: "a.ipynb" }, { file_path: "a.ipynb" }],
    [
      "Grep",
      { pattern: "x", path: "src" },
      { pattern: "x", search_path: "src", is_file_read: true },
    ],
    ["Bash", { command: 7 }, {}],
    ["mcp__x__y", {}, {}],
    ["mcp__turnwire__render_component", {}, { ui_tool: "render_component" }],
    ["mcp__turnwire__lookup", {}, {}],
    ["render_component", {}, {}],
  ])("%s with %j shows what it works on", (name, input, facts) => {
    const [start] = ofType(events(assistant("m1", [tool("c1", name, input)])), "tool_start");
    expect(start?.data).toEqual({
      message_id: "m1",
      tool_use_id: "c1",
      tool: name,
      input,
      ...facts,
    });
  });

  test("starts once, however often it is announced", () => {
    const use = assistant("m1", [tool("c1", "Bash")]);
    expect(ofType(events(use, use), "tool_start")).toHaveLength(1);
  });

  test.each([
    [{ content: "ok", details: { stdout: "ok" } }, 0],
    [{ content: "Exit code 3\nbad", isError: true }, 3],
    [{ content: "Denied", isError: true }, undefined],
    [{ content: "Running", details: { stdout: "", backgroundTaskId: "b1" } }, undefined],
  ])("that answers %j has exit code %s", (answer, code) => {
    const drafts = events(assistant("m1", [tool("c1", "Bash")]), toolResult("c1", answer));
    expect(ofType(drafts, "tool_result")[0]?.data.exit_code).toBe(code);
  });

  test("took the time between its messages, unless a person was asked", () => {
    const use = assistant("m1", [tool("c1", "Bash")]);
    const answer = toolResult("c1", { timestamp: "2026-11-15T00:00:02.500Z" });
    const [quick] = ofType(events(use, answer), "tool_result");
    expect(quick?.data.duration_ms).toBe(2500);
    const [asked] = ofType(
      events(use, ask("r1", "Bash", { toolUseId: "c1" }), answer),
      "tool_result",
    );
    expect(asked?.data).not.toHaveProperty("duration_ms");
  });

  test("that was not announced leaves its result as it is", () => {
    const drafts = events(toolResult("c9", {}));
    expect(typesOf(drafts)).toEqual(["native"]);
  });

  test("that is left open ends with the turn, as an error", () => {
    const drafts = events(
      assistant("m1", [tool("c1", "Bash")]),
      result("u1"),
      settled("u1"),
      state("idle"),
    );
    expect(typesOf(drafts).slice(-5)).toEqual([
      "tool_result",
      "message_complete",
      "result",
      "usage",
      "done",
    ]);
    expect(ofType(drafts, "tool_result")[0]?.data.is_error).toBe(true);
  });
});

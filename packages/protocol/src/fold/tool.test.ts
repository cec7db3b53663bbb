import { describe, expect, test } from "vitest";
import { draft, type SubagentBlock } from "../index.ts";
import {
  agentMessages,
  blocksOf,
  completed,
  delta,
  done,
  inTurn,
  userMessage,
  stateAfter,
  toolEnded,
  toolStarted,
} from "../test-support/log.ts";

const inSubagent = { turn_id: "t1", subagent_id: "sub" };
const spawned = toolStarted("sub", { tool: "Task", subagent_spawn: true, subagent_name: "scout" });

function prepared(tool_use_id: string, partial_json: string, place: object = inTurn) {
  return draft("tool_input_delta", { tool_use_id, tool: "Write", partial_json }, place);
}

function printed(tool_use_id: string, text: string) {
  return draft("tool_output", { tool_use_id, text }, inTurn);
}

function subagentOf(state: ReturnType<typeof stateAfter>): SubagentBlock | undefined {
  return blocksOf(state).find((block) => block.type === "subagent");
}

describe("a tool", () => {
  test("is prepared while its input streams in, then runs in the same place", () => {
    const preparing = stateAfter(prepared("x", '{"a"'), prepared("x", ":1}"));
    expect(blocksOf(preparing)).toMatchObject([
      { key: "b4", tool: "Write", status: "preparing", partial_input: '{"a":1}' },
    ]);
    const running = stateAfter(
      prepared("x", '{"a":1}'),
      toolStarted("x", { tool: "Write", input: { a: 1 }, file_path: "a.ts" }),
    );
    expect(blocksOf(running)).toEqual([
      {
        type: "tool",
        key: "b4",
        tool_use_id: "x",
        tool: "Write",
        status: "running",
        input: { a: 1 },
        file_path: "a.ts",
        started_at: "2026-11-15T00:00:00.005Z",
        streamed: "",
      },
    ]);
  });

  test("that uses the UI says so from its first piece", () => {
    const tool = { tool: "mcp__turnwire__render_component", ui_tool: "render_component" } as const;
    const piece = { tool_use_id: "x", ...tool, partial_json: "{" };
    const preparing = draft("tool_input_delta", piece, inTurn);
    expect(blocksOf(stateAfter(preparing))).toMatchObject([{ status: "preparing", ...tool }]);
    expect(blocksOf(stateAfter(preparing, toolStarted("x", { tool: tool.tool })))).toMatchObject([
      { status: "running", ...tool },
    ]);
    expect(blocksOf(stateAfter(toolStarted("x", tool)))).toMatchObject([tool]);
  });

  test("names its message, unless its input began before that was known", () => {
    const known = draft(
      "tool_input_delta",
      { message_id: "m9", tool_use_id: "y", tool: "Write", partial_json: "{" },
      inTurn,
    );
    const state = stateAfter(
      toolStarted("x"),
      known,
      toolStarted("y"),
      prepared("z", "{"),
      toolStarted("z"),
      spawned,
    );
    const [first, second, third, fourth] = blocksOf(state);
    expect(first).toMatchObject({ message_id: toolStarted("x").data.message_id });
    expect(second).toMatchObject({ message_id: "m9" });
    expect(third).not.toHaveProperty("message_id");
    expect(fourth).toMatchObject({ type: "subagent", message_id: spawned.data.message_id });
  });

  test("shows what it prints and ends with its result", () => {
    const running = stateAfter(toolStarted("x"), printed("x", "line 1\n"), printed("x", "line 2"));
    expect(blocksOf(running)).toMatchObject([{ status: "running", streamed: "line 1\nline 2" }]);
    const ended = stateAfter(
      toolStarted("x", { command: "npm test" }),
      toolEnded("x", { output: "all", exit_code: 0, duration_ms: 12, file_path: "out.txt" }),
    );
    expect(blocksOf(ended)).toMatchObject([
      { status: "done", command: "npm test", output: "all", exit_code: 0, duration_ms: 12 },
    ]);
  });

  test("that prints for hours is shown by the newest of it, never by half a character", () => {
    const piece = "🙂".repeat(50_000);
    const state = stateAfter(
      toolStarted("x"),
      ...Array.from({ length: 5 }, () => printed("x", piece)),
      printed("x", `x${piece}`),
    );
    const [block] = blocksOf(state);
    const streamed = block?.type === "tool" ? block.streamed : "";
    expect(streamed.length).toBeLessThanOrEqual(512 * 1024);
    expect(streamed.length).toBeGreaterThan(256 * 1024 - 2);
    expect(streamed.startsWith("…🙂")).toBe(true);
    expect(streamed.endsWith(`x${piece}`)).toBe(true);
  });

  test("that failed says so", () => {
    const state = stateAfter(toolStarted("x"), toolEnded("x", { is_error: true, exit_code: 2 }));
    expect(blocksOf(state)).toMatchObject([{ status: "failed", exit_code: 2 }]);
  });

  test("is abandoned when its turn ends first, and still takes what comes late", () => {
    const abandoned = stateAfter(toolStarted("x"), prepared("y", "{"), done("t1"));
    expect(blocksOf(abandoned)).toMatchObject([{ status: "abandoned" }, { status: "abandoned" }]);
    const late = stateAfter(toolStarted("x"), done("t1"), printed("x", "late"), toolEnded("x"));
    expect(agentMessages(late)).toHaveLength(1);
    expect(blocksOf(late)).toMatchObject([{ status: "done", streamed: "late", output: "ok" }]);
  });

  test("takes its result where it started, also across a steering message", () => {
    const state = stateAfter(
      toolStarted("x"),
      userMessage("u2", "steer"),
      delta("ok"),
      toolEnded("x"),
    );
    expect(agentMessages(state)).toMatchObject([
      { done: true, blocks: [{ status: "done" }] },
      { done: false, blocks: [{ text: "ok" }] },
    ]);
  });

  test("that is reported again keeps how far it has come", () => {
    const state = stateAfter(toolStarted("x"), toolEnded("x"), toolStarted("x", { command: "ls" }));
    expect(blocksOf(state)).toMatchObject([{ status: "done", command: "ls", output: "ok" }]);
  });

  test("that was never started takes nothing and opens no message", () => {
    const state = stateAfter(printed("x", "?"), toolEnded("x"));
    expect(agentMessages(state)).toEqual([]);
  });

  test("may use an id again in a later turn", () => {
    const state = stateAfter(
      toolStarted("item_0"),
      toolEnded("item_0", { output: "first" }),
      done("t1"),
      draft("turn_started", { turn_id: "t2" }, { turn_id: "t2" }),
      toolStarted("item_0", {}, { turn_id: "t2" }),
      toolEnded("item_0", { output: "second" }, { turn_id: "t2" }),
    );
    expect(agentMessages(state).map(({ blocks }) => blocks)).toMatchObject([
      [{ output: "first" }],
      [{ output: "second" }],
    ]);
  });
});

describe("a sub-agent", () => {
  test("has what it does inside its own block", () => {
    const state = stateAfter(
      spawned,
      delta("looking", "m2", inSubagent),
      toolStarted("y", { command: "ls" }, inSubagent),
      delta("meanwhile"),
      delta(" around", "m2", inSubagent),
    );
    expect(blocksOf(state)).toMatchObject([
      {
        type: "subagent",
        subagent_id: "sub",
        name: "scout",
        status: "running",
        blocks: [{ text: "looking" }, { command: "ls" }, { text: " around" }],
      },
      { type: "text", text: "meanwhile" },
    ]);
  });

  test("counts its tools as they start and the files it changed as they are done", () => {
    const running = stateAfter(spawned, toolStarted("w", { file_path: "a.ts" }, inSubagent));
    expect(subagentOf(running)).toMatchObject({ tool_calls: 1, file_changes: 0 });
    const state = stateAfter(
      spawned,
      toolStarted("r", { file_path: "a.ts", is_file_read: true }, inSubagent),
      toolEnded("r", {}, inSubagent),
      toolStarted("w", { file_path: "a.ts" }, inSubagent),
      toolEnded("w", {}, inSubagent),
      toolStarted("f", { file_path: "b.ts" }, inSubagent),
      toolEnded("f", { is_error: true }, inSubagent),
      prepared("p", "{", inSubagent),
    );
    expect(subagentOf(state)).toMatchObject({ tool_calls: 3, file_changes: 1 });
  });

  test("ends with the result of the tool that spawned it", () => {
    const completedState = stateAfter(spawned, toolEnded("sub", { output: "report" }));
    expect(subagentOf(completedState)).toMatchObject({ status: "completed", output: "report" });
    expect(subagentOf(completedState)?.completed_at).toBeDefined();
    const failed = stateAfter(spawned, toolEnded("sub", { is_error: true }));
    expect(subagentOf(failed)).toMatchObject({ status: "failed" });
  });

  test("nests in the sub-agent that spawned it", () => {
    const inner = { tool: "Task", subagent_spawn: true, subagent_name: "inner" };
    const state = stateAfter(
      spawned,
      toolStarted("deep", inner, inSubagent),
      delta("down here", "m3", { turn_id: "t1", subagent_id: "deep" }),
      toolEnded("deep", {}, inSubagent),
    );
    expect(subagentOf(state)).toMatchObject({
      tool_calls: 1,
      blocks: [{ name: "inner", status: "completed", blocks: [{ text: "down here" }] }],
    });
  });

  test("takes the place and the key of the tool that was being prepared", () => {
    const state = stateAfter(prepared("sub", "{}"), spawned);
    expect(blocksOf(state)).toMatchObject([{ type: "subagent", key: "b4", name: "scout" }]);
  });

  test("that was never spawned gets a block of its own, and its name when that is reported", () => {
    const orphan = stateAfter(delta("hello", "m2", inSubagent));
    expect(blocksOf(orphan)).toMatchObject([
      { type: "subagent", key: "b4", name: "sub-agent", blocks: [{ key: "b4.1", text: "hello" }] },
    ]);
    const named = stateAfter(delta("hello", "m2", inSubagent), spawned);
    expect(blocksOf(named)).toMatchObject([{ name: "scout", blocks: [{ text: "hello" }] }]);
  });

  test("is abandoned with all its tools when the turn ends first", () => {
    const state = stateAfter(spawned, toolStarted("y", {}, inSubagent), done("t1"));
    expect(subagentOf(state)).toMatchObject({
      status: "abandoned",
      blocks: [{ status: "abandoned" }],
    });
  });

  test("has its messages completed inside its own block", () => {
    const state = stateAfter(
      spawned,
      delta("rep", "m2", inSubagent),
      completed("m2", [{ type: "text", text: "report" }], inSubagent),
    );
    expect(subagentOf(state)?.blocks).toMatchObject([{ text: "report" }]);
  });
});

import { describe, expect, test } from "vitest";
import { draft } from "../index.ts";
import {
  agentMessages,
  blocksOf,
  delta,
  done,
  inTurn,
  started,
  stateAfter,
} from "../test-support/log.ts";

function plan(text: string, place: object = inTurn) {
  return draft("plan", { steps: [{ text, status: "pending" }] }, place);
}

describe("progress of a turn", () => {
  test("has one plan and one diff, which change in place", () => {
    const state = stateAfter(
      plan("first"),
      draft("diff", { unified: "-a" }, inTurn),
      delta("working"),
      draft("diff", { unified: "-a+b" }, inTurn),
      plan("second"),
    );
    expect(blocksOf(state)).toMatchObject([
      { type: "plan", key: "b4", steps: [{ text: "second" }] },
      { type: "diff", key: "b5", unified: "-a+b" },
      { type: "text" },
    ]);
  });

  test("has a plan of its own in each turn", () => {
    const inSecond = { turn_id: "t2" };
    const state = stateAfter(plan("one"), done("t1"), started("t2"), plan("two", inSecond));
    expect(agentMessages(state)).toMatchObject([
      { blocks: [{ steps: [{ text: "one" }] }] },
      { blocks: [{ steps: [{ text: "two" }] }] },
    ]);
  });

  test("keeps why the plan is as it is", () => {
    const steps = [{ text: "x", status: "completed" as const }];
    const state = stateAfter(draft("plan", { steps, explanation: "because" }, inTurn));
    expect(blocksOf(state)).toMatchObject([{ explanation: "because" }]);
  });

  test("shows notices, errors and compactions where they happened", () => {
    const state = stateAfter(
      draft("notice", { level: "warning", text: "careful" }, inTurn),
      draft("error", { code: "turn_lost", message: "gone", retryable: true }, inTurn),
      draft("compacted", { tokens_before: 900, tokens_after: 90 }, inTurn),
      draft("compacted", {}, inTurn),
    );
    expect(blocksOf(state)).toMatchObject([
      { type: "notice", level: "warning", text: "careful" },
      { type: "error", code: "turn_lost", message: "gone", retryable: true },
      { type: "notice", level: "info", text: "The conversation was compacted (900 → 90 tokens)" },
      { type: "notice", level: "info", text: "The conversation was compacted" },
    ]);
  });
});

describe("usage", () => {
  test("holds the newest of each figure, which are totals", () => {
    const state = stateAfter(
      draft("usage", { input_tokens: 10, output_tokens: 1 }),
      draft("usage", { output_tokens: 5, context_tokens: 7 }),
    );
    expect(state.usage).toEqual({
      input_tokens: 10,
      output_tokens: 5,
      context_tokens: 7,
      total_cost_usd: 0,
    });
  });

  test("leaves the session's cost alone when a result reports the cost of its turn", () => {
    const result = { turn_id: "t1", subtype: "success", is_error: false, total_cost_usd: 0.1 };
    const state = stateAfter(
      draft("usage", { total_cost_usd: 0.3 }),
      draft("result", result, inTurn),
    );
    expect(state.usage.total_cost_usd).toBe(0.3);
  });

  test("is not unset by a figure that is left open", () => {
    const open = draft("usage", { input_tokens: undefined });
    expect(stateAfter(draft("usage", { input_tokens: 10 }), open).usage.input_tokens).toBe(10);
  });
});

describe("tasks and servers", () => {
  test("a task keeps what was reported before", () => {
    const state = stateAfter(
      draft("task", { task_id: "k", status: "running", description: "build", tool_use_id: "x" }),
      draft("task", { task_id: "k", status: "completed", summary: "built" }),
    );
    expect(state.tasks).toEqual({
      k: {
        task_id: "k",
        status: "completed",
        description: "build",
        tool_use_id: "x",
        summary: "built",
      },
    });
  });

  test("a task may be called __proto__", () => {
    const state = stateAfter(draft("task", { task_id: "__proto__", status: "running" }));
    expect(Object.entries(state.tasks)).toEqual([
      ["__proto__", { task_id: "__proto__", status: "running" }],
    ]);
  });

  test("an MCP server has its newest status", () => {
    const state = stateAfter(
      draft("mcp_status", { server_name: "files", status: "pending" }),
      draft("mcp_status", { server_name: "files", status: "connected" }),
    );
    expect(state.mcp).toEqual({ files: "connected" });
  });
});

test("native messages change nothing but the seq", () => {
  const before = stateAfter(delta("x"));
  const after = stateAfter(delta("x"), draft("native", { source: "demo", payload: { a: 1 } }));
  expect(after).toEqual({ ...before, seq: before.seq + 1 });
});

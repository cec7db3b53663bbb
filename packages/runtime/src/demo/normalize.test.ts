import { type EventDraft, eventData } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DemoMessage } from "./stage/message.ts";
import { demoNormalizer } from "./normalize.ts";

function normalize(messages: readonly unknown[]) {
  let state = demoNormalizer.initial();
  const events: EventDraft[] = [];
  for (const message of messages) {
    const [next, drafts] = demoNormalizer.step(state, message);
    state = next;
    events.push(...drafts);
  }
  return { events, state };
}

const turnEnd: DemoMessage = {
  type: "turn_end",
  turn: "t1",
  reason: "finished",
  ms: 5,
  usage: { output_tokens: 2 },
  cost: 0,
};

const openWork: readonly DemoMessage[] = [
  { type: "text", message: "m1", text: "Let me " },
  { type: "text", message: "m1", text: "see." },
  {
    type: "tool_begin",
    message: "m1",
    tool_use: "u1",
    tool: "Read",
    input: { file_path: "a.ts" },
  },
];

describe("demoNormalizer", () => {
  test("a completed message holds thoughts, text and tool uses in their order", () => {
    const { events } = normalize([
      { type: "thought", message: "m1", text: "Hm. " },
      { type: "thought", message: "m1", text: "Yes.", is_last: true },
      ...openWork,
      { type: "message_end", message: "m1", model: "demo-1" },
    ]);
    expect(events.at(-1)).toEqual({
      type: "message_complete",
      data: {
        message_id: "m1",
        message: {
          role: "assistant",
          model: "demo-1",
          content: [
            { type: "thinking", thinking: "Hm. Yes." },
            { type: "text", text: "Let me see." },
            { type: "tool_use", id: "u1", name: "Read", input: { file_path: "a.ts" } },
          ],
        },
      },
    });
  });

  test("a tool's start and result say which file it reads", () => {
    const { events } = normalize([
      ...openWork,
      { type: "tool_end", tool_use: "u1", output: "text", failed: false, ms: 3 },
    ]);
    expect(events.slice(2)).toEqual([
      {
        type: "tool_start",
        data: {
          message_id: "m1",
          tool_use_id: "u1",
          tool: "Read",
          input: { file_path: "a.ts" },
          file_path: "a.ts",
          is_file_read: true,
        },
      },
      {
        type: "tool_result",
        data: {
          tool_use_id: "u1",
          output: "text",
          is_error: false,
          file_path: "a.ts",
          is_file_read: true,
          duration_ms: 3,
        },
      },
    ]);
  });

  test("the end of a turn closes what is open, then gives result and done", () => {
    const { events, state } = normalize([...openWork, { ...turnEnd, reason: "interrupted" }]);
    expect(events.slice(3).map(({ type }) => type)).toEqual([
      "message_complete",
      "tool_result",
      "result",
      "done",
    ]);
    expect(events.at(-2)?.data).toMatchObject({ subtype: "interrupted", is_error: false });
    expect(events.at(-1)?.data).toEqual({ turn_id: "t1", stopped: true });
    expect(state).toEqual(demoNormalizer.initial());
  });

  test("the result holds what the main agent said last, not a sub-agent", () => {
    const { events } = normalize([
      { type: "text", message: "m1", text: "main" },
      { type: "text", message: "m2", text: "sub", agent: "u9" },
      turnEnd,
    ]);
    expect(events.find(({ type }) => type === "result")?.data).toMatchObject({ text: "main" });
  });

  test("events of a sub-agent carry its id", () => {
    const { events } = normalize([
      { type: "text", message: "m2", text: "sub", agent: "u9" },
      { type: "message_end", message: "m2", agent: "u9" },
    ]);
    expect(events.map(({ subagent_id }) => subagent_id)).toEqual(["u9", "u9"]);
  });

  test("an agent that is gone leaves no tool, message or task open", () => {
    const task = { type: "task", turn: "t0", task: "k1", status: "running", description: "build" };
    const { state } = normalize([task, turnEnd, ...openWork]);
    const events = demoNormalizer.end(state, { type: "died", message: "gone" });
    expect(events.map(({ type }) => type)).toEqual(["message_complete", "tool_result", "task"]);
    expect(events[2]).toMatchObject({ turn_id: "t0", data: { task_id: "k1", status: "stopped" } });
  });

  test("a background task outlives its turn, and its events name that turn", () => {
    const task = { type: "task", turn: "t1", task: "k1", status: "running", description: "build" };
    const { events, state } = normalize([task, turnEnd, { ...task, status: "completed" }]);
    expect(events.filter(({ type }) => type === "task").map(({ turn_id }) => turn_id)).toEqual([
      "t1",
      "t1",
    ]);
    expect(demoNormalizer.end(state, { type: "closed" })).toEqual([]);
  });

  test("a message that ends twice, or never began, gives nothing", () => {
    const { events } = normalize([
      { type: "message_end", message: "m1" },
      { type: "text", message: "m1", text: "a" },
      { type: "message_end", message: "m1" },
      { type: "message_end", message: "m1" },
    ]);
    expect(events.map(({ type }) => type)).toEqual(["delta", "message_complete"]);
  });

  test.each(["__proto__", "constructor", "toString"])("takes %s for an id like any other", (id) => {
    const { events, state } = normalize([
      { type: "message_end", message: id },
      { type: "tool_end", tool_use: id, output: 1, failed: false },
      { type: "text", message: id, text: "a" },
      { type: "tool_begin", message: id, tool_use: id, tool: "Read", input: {} },
      { type: "message_end", message: id },
      { type: "tool_end", tool_use: id, output: 1, failed: false },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      "tool_result",
      "delta",
      "tool_start",
      "message_complete",
      "tool_result",
    ]);
    expect(demoNormalizer.end(state, { type: "closed" })).toEqual([]);
  });

  test("a result for a tool that never began is kept", () => {
    const { events } = normalize([{ type: "tool_end", tool_use: "u7", output: 1, failed: true }]);
    expect(events.map(({ type }) => type)).toEqual(["tool_result"]);
  });

  test("whatever comes, it gives valid events and never throws", () => {
    const known = fc.constantFrom(...openWork, turnEnd);
    const broken = fc
      .tuple(known, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([message, junk]) => Object.assign({}, message, junk));
    const message = fc.oneof(known, broken, fc.jsonValue(), fc.anything());
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        for (const { type, data } of normalize(messages).events) {
          expect(eventData[type].safeParse(data).success).toBe(true);
        }
      }),
    );
  });

  test("same messages, same events: a step changes no state it was given", () => {
    const first = normalize([...openWork, turnEnd]);
    const [state] = demoNormalizer.step(demoNormalizer.initial(), openWork[0]);
    const before = structuredClone(state);
    demoNormalizer.step(state, openWork[1]);
    expect(state).toEqual(before);
    expect(normalize([...openWork, turnEnd])).toEqual(first);
  });
});

import { draft, type EventDraft, noCapabilities } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { framesFrom, partialInputFrom } from "./frame.ts";

function allFramed(event: EventDraft): [name: string, data: unknown][] {
  const json = JSON.stringify({ seq: 7, ts: "2026-11-15T09:00:00.000Z", ...event });
  const frames = framesFrom({ seq: 7, type: event.type, json }, "s1");
  return frames.map(({ name, data }) => [name, JSON.parse(data)]);
}

function framed(event: EventDraft): [name: string, data: unknown] {
  const [frame, ...more] = allFramed(event);
  if (!frame || more.length > 0) throw new Error(`${event.type} has ${more.length + 1} frames`);
  return frame;
}

const text = { type: "text", text: "hi" } as const;
const lost = { code: "turn_lost", message: "gone", retryable: true };

/** Each event beside the frame that agent-webkit's clients expect, every field of it. */
const spoken: readonly [event: EventDraft, name: string, data: unknown][] = [
  [
    draft("session_ready", {
      session_id: "s1",
      protocol_version: "1.0",
      runtime: "demo",
      capabilities: noCapabilities,
    }),
    "session_ready",
    { session_id: "s1", protocol_version: "1.0" },
  ],
  [
    draft("delta", { message_id: "m1", text: "hi" }),
    "message_delta",
    { message_id: "m1", delta: text },
  ],
  [
    draft("message_complete", {
      message_id: "m1",
      message: {
        role: "assistant",
        content: [text, { type: "tool_use", id: "t", name: "Bash", input: {} }],
        model: "large",
        stop_reason: "tool_use",
      },
    }),
    "message_complete",
    {
      message_id: "m1",
      message: {
        id: "m1",
        role: "assistant",
        content: [text, { type: "tool_use", id: "t", name: "Bash", input: {} }],
        model: "large",
        stop_reason: "tool_use",
      },
    },
  ],
  [
    draft("tool_start", {
      message_id: "m1",
      tool_use_id: "t",
      tool: "Bash",
      input: { command: "ls" },
      command: "ls",
    }),
    "tool_use",
    { message_id: "m1", tool_use_id: "t", tool_name: "Bash", input: { command: "ls" } },
  ],
  [
    draft("tool_result", { tool_use_id: "t", output: "a", is_error: false, exit_code: 0 }),
    "tool_result",
    { tool_use_id: "t", output: "a", is_error: false },
  ],
  [
    draft("permission_request", {
      correlation_id: "r",
      tool_use_id: "t",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      context: { reason: "why" },
      suggestions: [{ type: "setMode" }],
    }),
    "permission_request",
    {
      correlation_id: "r",
      tool_name: "Bash",
      input: { command: "ls" },
      context: { reason: "why", tool_use_id: "t", suggestions: [{ type: "setMode" }] },
    },
  ],
  [
    draft("question_request", {
      correlation_id: "r",
      questions: [
        {
          question: "Which?",
          header: "Choice",
          multi_select: true,
          options: [{ label: "a", description: "one" }],
        },
        { question: "Sure?", options: [{ label: "yes" }] },
      ],
    }),
    "ask_user_question",
    {
      correlation_id: "r",
      questions: {
        questions: [
          {
            question: "Which?",
            header: "Choice",
            multiSelect: true,
            options: [{ label: "a", description: "one" }],
          },
          { question: "Sure?", multiSelect: false, options: [{ label: "yes" }] },
        ],
      },
    },
  ],
  [
    draft("hook_request", { correlation_id: "r", hook_event: "PreToolUse", hook_input: { a: 1 } }),
    "hook_decision_request",
    { correlation_id: "r", hook_event: "PreToolUse", hook_input: { a: 1 } },
  ],
  [
    draft("result", { turn_id: "t1", subtype: "success", is_error: false, total_cost_usd: 0.5 }),
    "result",
    {
      session_id: "s1",
      turn_id: "t1",
      subtype: "success",
      is_error: false,
      total_cost_usd: 0.5,
    },
  ],
  [
    draft("mcp_status", { server_name: "notion", status: "connected" }),
    "mcp_status_change",
    { server_name: "notion", status: "connected" },
  ],
  [draft("session_closed", { reason: "deleted", by: "someone" }), "done", {}],
];

describe("a frame for agent-webkit", () => {
  test.each(spoken)("%o is the event that its clients know", (event, name, data) => {
    expect(framed(event)).toEqual([name, data]);
  });

  test("of a turn's end is not done, which would end the session", () => {
    const [name, data] = framed(draft("done", { turn_id: "t1", stopped: true }));
    expect([name, data]).toEqual(["turn_done", { turn_id: "t1", stopped: true }]);
  });

  test.each(["turn_lost", "agent_exited", "overloaded", "unauthorized"])(
    "is an error for a turn that failed with %s",
    (code) => {
      expect(framed(draft("error", { ...lost, code }, { turn_id: "t1" }))).toEqual([
        "error",
        { code, message: "gone" },
      ]);
    },
  );

  test.each([
    draft("error", lost, { turn_id: "t1", subagent_id: "a1" }),
    draft("error", { ...lost, code: "agent_failed" }),
  ])("is a notice for a failure outside the turn itself: %o", (event) => {
    const { code, message, retryable } = event.data;
    expect(framed(event)).toMatchObject([
      "notice",
      { level: "error", text: message, code, retryable },
    ]);
  });

  test("of a tool use that belongs to no message follows one that has it as a block", () => {
    const use = { message_id: "t1", tool_use_id: "t1", tool: "shell", input: { command: "ls" } };
    const block = { type: "tool_use", id: "t1", name: "shell", input: use.input };
    expect(allFramed(draft("tool_start", use))).toEqual([
      [
        "message_complete",
        {
          message_id: "t1",
          message: { id: "t1", role: "assistant", content: [block], stop_reason: "tool_use" },
        },
      ],
      ["tool_use", { message_id: "t1", tool_use_id: "t1", tool_name: "shell", input: use.input }],
    ]);
  });

  test("gives every block a type, and a message without a stop reason null", () => {
    const content = [{ text: "hi" }, { blob: 1 }];
    const event = draft("message_complete", {
      message_id: "m1",
      message: { role: "assistant", content },
    });
    expect(framed(event)[1]).toEqual({
      message_id: "m1",
      message: {
        id: "m1",
        role: "assistant",
        content: [text, { type: "native", blob: 1 }],
        stop_reason: null,
      },
    });
  });

  test("has an input, tool_use_id and suggestions even where the agent sent none", () => {
    const start = draft("tool_start", { message_id: "m1", tool_use_id: "t", tool: "Bash" });
    expect(framed(start)[1]).toMatchObject({ input: {} });
    const request = { correlation_id: "r", tool_name: "Bash", tool_input: {} };
    expect(framed(draft("permission_request", request))[1]).toMatchObject({
      context: { tool_use_id: null, suggestions: [] },
    });
  });

  test("of a person's plain words has them as text, so that a hook knows its own message", () => {
    const said = { message_id: "u1", delivery: "turn" } as const;
    const plain = draft("user_message", { ...said, content: [text] });
    expect(framed(plain)).toEqual(["user_message", { ...said, content: "hi" }]);
    const twice = draft("user_message", { ...said, content: [text, text] });
    expect(framed(twice)[1]).toEqual({ ...said, content: [text, text] });
  });

  test("says which sub-agent it is of", () => {
    const event = draft("delta", { message_id: "m1", text: "hi" }, { subagent_id: "t9" });
    expect(framed(event)[1]).toEqual({ message_id: "m1", delta: text, subagent_id: "t9" });
  });

  test("escapes what some languages take for the end of a line", () => {
    const text = "a\u2028b\u2029c\u0085d";
    const json = JSON.stringify({ seq: 7, ts: "", type: "delta", data: { message_id: "m", text } });
    const [frame] = framesFrom({ seq: 7, type: "delta", json }, "s1");
    expect(frame?.data).toContain(String.raw`a\u2028b\u2029c\u0085d`);
    expect(JSON.parse(frame?.data ?? "").delta.text).toBe(text);
  });

  test("of anything else has the event's own name and data", () => {
    const typing = { tool_use_id: "t", tool: "Bash", partial_json: '{"a' };
    expect(framed(draft("tool_input_delta", typing))).toEqual(["tool_input_delta", typing]);
    const json = '{"seq":7,"ts":"","type":"of_tomorrow","data":{"a":1}}';
    const frames = framesFrom({ seq: 7, type: "of_tomorrow", json }, "s1");
    expect(frames).toEqual([{ name: "of_tomorrow", data: '{"a":1}' }]);
  });
});

describe("a piece of a tool's input", () => {
  const typing = { message_id: "m1", tool_use_id: "t", tool: "mcp__ui__card", partial_json: '{"a' };
  const stored = (event: EventDraft) => ({
    seq: 7,
    type: event.type,
    json: JSON.stringify({ seq: 7, ts: "", ...event }),
  });

  test("is a delta of its message, with the tool's name", () => {
    const frame = partialInputFrom(stored(draft("tool_input_delta", typing)));
    expect(frame?.name).toBe("message_delta");
    const { message_id, tool_use_id, tool: name, partial_json } = typing;
    expect(JSON.parse(frame?.data ?? "")).toEqual({
      message_id,
      delta: { type: "input_json_delta", tool_use_id, name, partial_json },
    });
  });

  test("stays what it is where its message is not known: a hook would never finish that one", () => {
    const { message_id: _unknown, ...rest } = typing;
    expect(partialInputFrom(stored(draft("tool_input_delta", rest)))).toBeUndefined();
    expect(
      partialInputFrom(stored(draft("delta", { message_id: "m1", text: "" }))),
    ).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import { draft, type EventDraft, fold, foldAll, initialState } from "../index.ts";
import {
  begun,
  delta,
  done,
  inTurn,
  logOf,
  ready,
  userMessage,
  stateAfter,
  toolEnded,
  toolStarted,
} from "../test-support/log.ts";

const thought = draft("thinking", { message_id: "m1", text: "hm" }, inTurn);
const asked = draft(
  "permission_request",
  { correlation_id: "r", tool_name: "Bash", tool_input: {} },
  inTurn,
);
const answered = draft(
  "permission_resolved",
  { correlation_id: "r", tool_name: "Bash", allowed: true, outcome: "answered" },
  inTurn,
);
const spawned = toolStarted("sub", { subagent_spawn: true, subagent_name: "scout" });
const inSubagent = { turn_id: "t1", subagent_id: "sub" };

const labels: { after: string; events: EventDraft[]; label: string }[] = [
  { after: "a turn started", events: [], label: "Thinking" },
  { after: "thinking", events: [thought], label: "Thinking" },
  { after: "a delta", events: [delta("x")], label: "Writing" },
  { after: "thinking again", events: [delta("x"), thought], label: "Thinking" },
  {
    after: "a command started",
    events: [delta("x"), toolStarted("a", { command: "npm test\n&& true" })],
    label: "Running npm test…",
  },
  {
    after: "a file tool started",
    events: [toolStarted("a", { tool: "Read", file_path: "src/a.ts" })],
    label: "Running Read src/a.ts",
  },
  {
    after: "a search started",
    events: [toolStarted("a", { tool: "Grep", pattern: "x+" })],
    label: 'Running Grep "x+"',
  },
  { after: "another tool", events: [toolStarted("a", { tool: "Web" })], label: "Running Web" },
  {
    after: "text beside a running tool",
    events: [toolStarted("a", { command: "ls" }), delta("x")],
    label: "Running ls",
  },
  {
    after: "the newer of two tools ended",
    events: [toolStarted("a", { command: "ls" }), toolStarted("b"), toolEnded("b")],
    label: "Running ls",
  },
  {
    after: "all tools ended",
    events: [delta("x"), toolStarted("a"), toolEnded("a")],
    label: "Thinking",
  },
  {
    after: "a tool's input streams in",
    events: [
      draft("tool_input_delta", { tool_use_id: "a", tool: "Write", partial_json: "{" }, inTurn),
    ],
    label: "Preparing Write",
  },
  { after: "a sub-agent was spawned", events: [spawned], label: "Running scout" },
  {
    after: "a sub-agent's tool started",
    events: [spawned, toolStarted("a", { command: "ls" }, inSubagent)],
    label: "Running ls",
  },
  {
    after: "a request beside a running tool",
    events: [toolStarted("a", { command: "ls" }), asked, delta("x")],
    label: "Waiting for you",
  },
  { after: "the request was answered", events: [delta("x"), asked, answered], label: "Thinking" },
  {
    after: "a steering message",
    events: [delta("x"), userMessage("u2", "steer")],
    label: "Thinking",
  },
  { after: "done", events: [delta("x"), toolStarted("a"), done("t1")], label: "Idle" },
  { after: "a delta after done", events: [done("t1"), delta("late")], label: "Idle" },
  {
    after: "the session closed",
    events: [draft("session_closed", { reason: "deleted" })],
    label: "Idle",
  },
];

describe("what the session does", () => {
  test.each(labels)("after $after is $label", ({ events, label }) => {
    const log = logOf([...begun, ...events]);
    expect(log.reduce(fold, initialState()).activity.label).toBe(label);
    expect(foldAll(initialState(), log).activity.label).toBe(label);
  });

  test("is thinking as soon as a message is accepted", () => {
    const state = foldAll(initialState(), logOf([ready, userMessage("u1", "turn")]));
    expect(state.activity.kind).toBe("thinking");
  });

  test("is cut where a command is long", () => {
    const { label } = stateAfter(toolStarted("a", { command: "x".repeat(500) })).activity;
    expect(label).toHaveLength(80);
    expect(label.endsWith("…")).toBe(true);
  });

  test("stays the same object while it stays the same", () => {
    const events = logOf([
      ...begun,
      toolStarted("a", { command: "ls" }),
      toolStarted("b", { command: "ls" }),
    ]);
    const before = foldAll(initialState(), events.slice(0, -1));
    expect(foldAll(before, events).activity).toBe(before.activity);
  });
});

import { describe, expect, test } from "vitest";
import { draft, textOf } from "../index.ts";
import {
  agentMessages,
  blocksOf,
  completed,
  delta,
  done,
  inTurn,
  userMessage,
  stateAfter,
  toolStarted,
} from "../test-support/log.ts";

function thought(text: string, isDone = false, message_id = "m1") {
  return draft("thinking", { message_id, text, done: isDone }, inTurn);
}

const text = (words: string) => ({ type: "text", text: words });

describe("a retracted message", () => {
  const retracted = (message_id: string) =>
    draft(
      "message_complete",
      { message_id, message: { role: "assistant", content: [] }, retracted: true },
      inTurn,
    );

  test("leaves nothing of what was said and thought in it", () => {
    const state = stateAfter(
      toolStarted("x"),
      thought("hm", true),
      delta("lost "),
      retracted("m1"),
      delta("lost ", "m2"),
      retracted("m2"),
      delta("whole", "m3"),
    );
    expect(blocksOf(state)).toMatchObject([
      { type: "tool" },
      { type: "text", message_id: "m3", text: "whole" },
    ]);
  });

  test("is retracted also where a steering message has split it", () => {
    const state = stateAfter(delta("lo"), userMessage("u2", "steer"), delta("st"), retracted("m1"));
    expect(agentMessages(state).flatMap(({ blocks }) => blocks)).toEqual([]);
  });
});

describe("deltas", () => {
  test("open a message of the agent and grow one text block", () => {
    const state = stateAfter(delta("Hel"), delta("lo"));
    expect(agentMessages(state)).toMatchObject([{ id: "agent-4", turn_id: "t1", done: false }]);
    expect(blocksOf(state)).toEqual([{ type: "text", key: "b4", message_id: "m1", text: "Hello" }]);
  });

  test("open a new text block after any other block", () => {
    const state = stateAfter(delta("before"), toolStarted("x"), delta("after"));
    expect(blocksOf(state)).toMatchObject([
      { type: "text", text: "before" },
      { type: "tool" },
      { type: "text", text: "after" },
    ]);
  });

  test("of another message open a new text block", () => {
    const state = stateAfter(delta("one", "m1"), delta("two", "m2"));
    expect(blocksOf(state)).toMatchObject([
      { message_id: "m1", text: "one" },
      { message_id: "m2", text: "two" },
    ]);
  });

  test("without text leave no trace", () => {
    expect(agentMessages(stateAfter(delta("")))).toEqual([]);
  });

  test("after done stay under their turn", () => {
    const state = stateAfter(
      delta("in time"),
      done("t1"),
      userMessage("u2", "turn"),
      delta(", late"),
    );
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "agent", "user"]);
    expect(blocksOf(state)).toMatchObject([{ text: "in time, late" }]);
  });

  test("of an ended turn that had said nothing come before what was said since", () => {
    const state = stateAfter(done("t1"), userMessage("u2", "turn"), delta("late"));
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "agent", "user"]);
    expect(agentMessages(state)).toMatchObject([{ turn_id: "t1", done: true }]);
  });

  test("of a turn whose start is missing get a message of their own, and close the one before", () => {
    const state = stateAfter(delta("known"), delta("unknown", "m2", { turn_id: "t9" }));
    expect(agentMessages(state)).toMatchObject([
      { turn_id: "t1", done: true },
      { turn_id: "t9", done: false, blocks: [{ text: "unknown" }] },
    ]);
  });

  test("outside any turn open a message without one", () => {
    const state = stateAfter(done("t1"), delta("by the way", "m9", {}));
    expect(agentMessages(state)).toMatchObject([{ done: false, blocks: [{ text: "by the way" }] }]);
    expect(agentMessages(state)[0]).not.toHaveProperty("turn_id");
  });
});

describe("thinking", () => {
  test("grows one block until it is done", () => {
    const state = stateAfter(thought("let "), thought("me see", true), thought("again"));
    expect(blocksOf(state)).toMatchObject([
      { type: "thinking", text: "let me see", done: true },
      { type: "thinking", text: "again", done: false },
    ]);
  });

  test("in another message is another block", () => {
    const state = stateAfter(thought("one", false, "m1"), thought("two", false, "m2"));
    expect(blocksOf(state)).toMatchObject([
      { message_id: "m1", text: "one", done: true },
      { message_id: "m2", text: "two", done: false },
    ]);
  });

  test("is done when something else begins", () => {
    expect(blocksOf(stateAfter(thought("hm"), delta("I see")))[0]).toMatchObject({ done: true });
  });

  test("is done when its turn is", () => {
    expect(blocksOf(stateAfter(thought("hm"), done("t1")))[0]).toMatchObject({ done: true });
  });

  test("that only ends, ends what was thought and leaves no empty block or message", () => {
    expect(blocksOf(stateAfter(thought("hm"), thought("", true)))).toMatchObject([
      { text: "hm", done: true },
    ]);
    const state = stateAfter(thought("hm"), delta("I see"), thought("", true));
    expect(blocksOf(state)).toHaveLength(2);
    expect(agentMessages(stateAfter(thought("", true)))).toEqual([]);
  });
});

describe("a completed message", () => {
  test("adds nothing that deltas delivered", () => {
    const state = stateAfter(delta("Hel"), delta("lo"), completed("m1", [text("Hello")]));
    expect(blocksOf(state)).toMatchObject([{ text: "Hello" }]);
  });

  test("adds the rest of what deltas began", () => {
    const state = stateAfter(delta("Hel"), completed("m1", [text("Hello!")]));
    expect(blocksOf(state)).toEqual([
      { type: "text", key: "b4", message_id: "m1", text: "Hello!" },
    ]);
  });

  test("is shown whole when there were no deltas", () => {
    const state = stateAfter(completed("m1", [text("Hello")]));
    expect(blocksOf(state)).toMatchObject([{ type: "text", message_id: "m1", text: "Hello" }]);
  });

  test("puts text before the tools that it comes before", () => {
    const content = [text("first"), { type: "tool_use", id: "x" }, text("last")];
    const state = stateAfter(toolStarted("x"), completed("m1", content));
    expect(blocksOf(state)).toMatchObject([
      { text: "first" },
      { type: "tool", tool_use_id: "x" },
      { text: "last" },
    ]);
  });

  test("adds a later part behind the tool that deltas stopped at", () => {
    const content = [text("first"), { type: "tool_use", id: "x" }, text("last")];
    const state = stateAfter(delta("first"), toolStarted("x"), completed("m1", content));
    expect(blocksOf(state)).toMatchObject([{ text: "first" }, { type: "tool" }, { text: "last" }]);
  });

  test("is one text also when a steering message has split it", () => {
    const state = stateAfter(
      delta("one "),
      userMessage("u2", "steer"),
      delta("two "),
      completed("m1", [text("one two three")]),
    );
    expect(agentMessages(state).map(textOf)).toEqual(["one ", "two three"]);
  });

  test("of an ended turn is completed there, not in the running one", () => {
    const state = stateAfter(
      delta("old"),
      done("t1"),
      userMessage("u2", "turn"),
      draft("turn_started", { turn_id: "t2", message_id: "u2" }, { turn_id: "t2" }),
      delta("new", "m2", { turn_id: "t2" }),
      completed("m1", [text("older")]),
    );
    expect(agentMessages(state).map(textOf)).toEqual(["older", "new"]);
  });

  test("without text opens no message", () => {
    const state = stateAfter(completed("m1", [{ type: "tool_use", id: "x" }, { type: "text" }]));
    expect(agentMessages(state)).toEqual([]);
  });

  test("that says something else than its deltas loses neither", () => {
    const state = stateAfter(delta("draft"), completed("m1", [text("final")]));
    expect(blocksOf(state)).toMatchObject([{ text: "draftfinal" }]);
  });
});

import { describe, expect, test } from "vitest";
import { steerId } from "./input.ts";
import { findPrompt, messageBefore, type TranscriptMessage } from "./transcript.ts";

function said(uuid: string, text: string): TranscriptMessage {
  return { type: "user", uuid, message: { content: [{ type: "text", text }] } };
}

function answered(uuid: string): TranscriptMessage {
  return { type: "assistant", uuid, message: { content: [{ type: "text", text: "yes" }] } };
}

const steered = steerId();
const messages: readonly TranscriptMessage[] = [
  said("person-1", "one"),
  answered("a1"),
  { type: "user", uuid: "result", message: { content: [{ type: "tool_result" }] } },
  said(steered, "more of one"),
  answered("a2"),
  said("person-3", "three"),
  said("stop", "[Request interrupted by user]"),
  said("person-4", "four"),
  answered("a4"),
];
// Turn 2 never reached the agent.
const turnIds = ["person-1", "person-2", "person-3", "person-4"];

describe("a transcript", () => {
  test.each([
    [0, "person-1", undefined],
    [1, "person-3", "a2"],
    [2, "person-3", "a2"],
    [3, "person-4", "stop"],
    [4, undefined, "a4"],
  ])("knows turn %i by its id, and what came before", (turnIndex, prompt, before) => {
    expect(findPrompt(messages, { turnIds, turnIndex })?.uuid).toBe(prompt);
    expect(messageBefore(messages, { turnIds, turnIndex })?.uuid).toBe(before);
  });

  test("of a copy is counted, without what was said into turns", () => {
    const others = ["other-1", "other-2", "other-3"];
    expect(findPrompt(messages, { turnIds: others, turnIndex: 1 })?.uuid).toBe("person-3");
    expect(findPrompt(messages, { turnIds: others, turnIndex: 2 })?.uuid).toBe("person-4");
  });

  test("of a copy that continued is counted first, then known by ids", () => {
    const ids = ["other-1", "other-2", "person-4"];
    expect(findPrompt(messages, { turnIds: ids, turnIndex: 1 })?.uuid).toBe("person-3");
    expect(findPrompt(messages, { turnIds: ids, turnIndex: 2 })?.uuid).toBe("person-4");
  });

  test("knows the turn that the agent started by itself, but no turn in a terminal's prompts", () => {
    const own = [said("t1", "one"), answered("a1"), said("task", "it ended"), answered("a2")];
    const withOwn = { turnIds: ["t1", "turn-x"], turnIndex: 1 };
    expect(findPrompt(own, withOwn)?.uuid).toBe("task");
    expect(findPrompt(own, { turnIds: ["t1"], turnIndex: 1 })).toBe(undefined);
  });

  test("that was compacted refuses what is before, and knows what is after", () => {
    const compacted = [{ type: "system", uuid: "boundary", message: {} }, ...messages.slice(7)];
    expect(() => findPrompt(compacted, { turnIds, turnIndex: 1 })).toThrow("compacted");
    expect(findPrompt(compacted, { turnIds, turnIndex: 3 })?.uuid).toBe("person-4");
    expect(messageBefore(compacted, { turnIds, turnIndex: 4 })?.uuid).toBe("a4");
  });
});

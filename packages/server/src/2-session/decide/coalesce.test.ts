import {
  draft,
  type EventDraft,
  foldAll,
  initialState,
  type SessionEvent,
} from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

const piece = fc.oneof(
  fc.record({
    type: fc.constant("delta" as const),
    data: fc.record({ message_id: fc.constantFrom("a", "b"), text: fc.string({ maxLength: 5 }) }),
  }),
  fc.record({
    type: fc.constant("thinking" as const),
    data: fc.record({
      message_id: fc.constantFrom("a", "b"),
      text: fc.string({ maxLength: 5 }),
      done: fc.boolean(),
    }),
  }),
  fc.record({
    type: fc.constant("tool_output" as const),
    data: fc.record({ tool_use_id: fc.constantFrom("x", "y"), text: fc.string({ maxLength: 5 }) }),
  }),
  fc.record({
    type: fc.constant("notice" as const),
    data: fc.record({ level: fc.constant("info" as const), text: fc.string({ maxLength: 5 }) }),
  }),
);

/** What a reader sees, apart from positions. */
function viewOf(drafts: readonly EventDraft[]) {
  const tool = { message_id: "a", tool: "Bash" };
  const opening: EventDraft[] = [
    draft("tool_start", { ...tool, tool_use_id: "x" }),
    draft("tool_start", { ...tool, tool_use_id: "y" }),
  ];
  const events = [...opening, ...drafts].map((event, index): SessionEvent => ({
    seq: index + 1,
    ts: "2026-01-01T00:00:00.000Z",
    ...event,
  }));
  const { messages } = foldAll(initialState(), events);
  return messages.map((message) =>
    message.role === "agent"
      ? message.blocks.map(({ key: _, ...block }) => block)
      : message.content,
  );
}

describe("coalescing", () => {
  test("changes nothing that a reader sees", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (drafts) => {
        expect(viewOf(coalesce(drafts))).toEqual(viewOf(drafts));
      }),
    );
  });

  test("joins neighbours of one text and nothing else", () => {
    const a = draft("delta", { message_id: "a", text: "He" });
    const b = draft("delta", { message_id: "a", text: "llo" });
    expect(coalesce([a, b])).toEqual([draft("delta", { message_id: "a", text: "Hello" })]);
    expect(coalesce([a, { ...b, subagent_id: "s" }])).toHaveLength(2);
    expect(coalesce([a, { ...b, turn_id: "t" }])).toHaveLength(2);
    expect(coalesce([a, draft("delta", { message_id: "b", text: "llo" })])).toHaveLength(2);
  });

  test("keeps each event light", () => {
    const drafts = Array.from({ length: 100 }, () =>
      draft("delta", { message_id: "a", text: "x".repeat(1000) }),
    );
    const joined = coalesce(drafts);
    const lengths = joined.map((event) => (event.type === "delta" ? event.data.text.length : 0));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(16_384);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100_000);
  });
});

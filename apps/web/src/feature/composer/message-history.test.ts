import type { Message } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { historyStep, ownTexts } from "./message-history.ts";

function said(text: string): Message {
  const content = [{ type: "text" as const, text }];
  return { role: "user", id: text, seq: 1, ts: "", content, delivery: "turn" };
}

test("a person's own words are remembered, repeated ones once, also those on their way", () => {
  const agent: Message = { role: "agent", id: "a", seq: 2, ts: "", blocks: [], done: true };
  const messages = [said("one"), agent, said("one"), said(" "), said("two")];
  const content = [{ type: "text" as const, text: "three" }];
  const queued = { message_id: "q", content, delivery: "queue" as const, seq: 9, ts: "" };
  const leaving = { client_message_id: "c", content: "four", delivery: "turn" as const };
  const sending = {
    c: { ...leaving, status: "pending" as const },
    d: { ...leaving, content: "two", status: "sent" as const },
  };
  expect(ownTexts({ session: { messages, queue: [queued] }, sending })).toEqual([
    "one",
    "two",
    "three",
    "four",
  ]);
});

test("arrows go back from an empty field, and forward to it again", () => {
  const entries = ["one", "two"];
  const first = historyStep({ entries, key: "ArrowUp", text: "", place: undefined });
  expect(first).toEqual({ place: 1, text: "two" });
  const second = historyStep({ entries, key: "ArrowUp", text: "two", place: 1 });
  expect(second).toEqual({ place: 0, text: "one" });
  expect(historyStep({ entries, key: "ArrowUp", text: "one", place: 0 })).toBeUndefined();
  expect(historyStep({ entries, key: "ArrowDown", text: "one", place: 0 })).toEqual({
    place: 1,
    text: "two",
  });
  expect(historyStep({ entries, key: "ArrowDown", text: "two", place: 1 })).toEqual({
    place: undefined,
    text: "",
  });
});

test("words that were written or changed are never replaced", () => {
  const entries = ["one"];
  expect(historyStep({ entries, key: "ArrowUp", text: "new", place: undefined })).toBeUndefined();
  expect(historyStep({ entries, key: "ArrowUp", text: "one!", place: 0 })).toBeUndefined();
  expect(historyStep({ entries, key: "a", text: "", place: undefined })).toBeUndefined();
  expect(historyStep({ entries, key: "ArrowDown", text: "", place: undefined })).toBeUndefined();
});

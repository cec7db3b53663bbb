import { foldAll, initialState, draft, noCapabilities, type EventDraft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { messageToRetry } from "./retry.ts";

const place = { turn_id: "t1" };
const content = [{ type: "text" as const, text: "Do it" }];
const begun: EventDraft[] = [
  draft("session_ready", {
    session_id: "s",
    protocol_version: "1.0",
    runtime: "demo",
    capabilities: noCapabilities,
  }),
  draft("user_message", { message_id: "u1", content, delivery: "turn" }),
  draft("turn_started", { turn_id: "t1", message_id: "u1" }, place),
];
const error = (retryable: boolean) =>
  draft("error", { code: "overloaded", message: "busy", retryable }, place);
const done = draft("done", { turn_id: "t1" }, place);

function stateAfter(...drafts: EventDraft[]) {
  const events = [...begun, ...drafts].map((event, index) => ({
    seq: index + 1,
    ts: "2026-11-16T00:00:00.000Z",
    ...event,
  }));
  return foldAll(initialState(), events);
}

test("after an error that may pass, the turn's message can be sent again", () => {
  expect(messageToRetry(stateAfter(error(true), done), "b4")).toMatchObject({ id: "u1", content });
});

test("not while the turn runs, nor for an error that stays, nor for another block", () => {
  expect(messageToRetry(stateAfter(error(true)), "b4")).toBeUndefined();
  expect(messageToRetry(stateAfter(error(false), done), "b4")).toBeUndefined();
  expect(messageToRetry(stateAfter(error(true), done), "b5")).toBeUndefined();
});

test("not once something else was said, nor in an archived session", () => {
  const next = draft("user_message", { message_id: "u2", content, delivery: "turn" });
  expect(messageToRetry(stateAfter(error(true), done, next), "b4")).toBeUndefined();
  const archived = draft("session_updated", { status: "archived" });
  expect(messageToRetry(stateAfter(error(true), done, archived), "b4")).toBeUndefined();
});

test("what was said into the turn is not what is sent again", () => {
  const steer = draft("user_message", { message_id: "u2", content, delivery: "steer" }, place);
  expect(messageToRetry(stateAfter(steer, error(true), done), "b5")).toMatchObject({ id: "u1" });
});

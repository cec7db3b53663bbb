import { describe, expect, test } from "vitest";
import { foldAll, initialState } from "@turnwire/protocol";
import { ClientError } from "../5-connection/client-error.ts";
import { placed, ready, userMessage } from "../test-support/sample-event.ts";
import {
  afterEvents,
  afterSnapshot,
  without,
  withAccepted,
  withPending,
  withRefused,
  type Outbox,
} from "./outbox.ts";

const error = new ClientError("network", "cut");
const events = placed([ready, userMessage("hello", "a")]);

function pending(...ids: string[]): Outbox {
  return ids.reduce<Outbox>(
    (outbox, id) =>
      withPending(outbox, { client_message_id: id, content: "hello", delivery: "turn" }),
    {},
  );
}

describe("an outgoing message", () => {
  test("is sent when its event arrives, by its own id", () => {
    const outbox = afterEvents(pending("a", "b"), events);
    expect(outbox).toMatchObject({ a: { status: "sent", seq: 2 }, b: { status: "pending" } });
  });

  test("that was accepted is sent once the log has come that far, whichever came first", () => {
    const accepted = withAccepted(pending("a"), "a", { seq: 2, reached: 1 });
    expect(accepted).toMatchObject({ a: { status: "pending", seq: 2 } });
    const late = withAccepted(pending("a"), "a", { seq: 2, reached: 2 });
    expect(late).toMatchObject({ a: { status: "sent", seq: 2 } });
  });

  test("that seemed to fail is sent after all when its event arrives", () => {
    const outbox = afterEvents(withRefused(pending("a"), "a", error), events);
    expect(outbox["a"]).toEqual({
      client_message_id: "a",
      content: "hello",
      delivery: "turn",
      status: "sent",
      seq: 2,
    });
  });

  test("that is in the log cannot fail any more", () => {
    const sent = afterEvents(pending("a"), events);
    expect(withRefused(sent, "a", error)).toBe(sent);
    expect(withAccepted(sent, "a", { seq: 2, reached: 2 })).toBe(sent);
  });

  test("is found in a snapshot by its id, or by its place when the words are gone", () => {
    const state = foldAll(initialState(), events);
    expect(afterSnapshot(pending("a", "b"), state)).toMatchObject({
      a: { status: "sent" },
      b: { status: "pending" },
    });
    const accepted = withAccepted(pending("c"), "c", { seq: 1, reached: 0 });
    expect(afterSnapshot(accepted, state)).toMatchObject({ c: { status: "sent", seq: 1 } });
    const ahead = withAccepted(pending("d"), "d", { seq: 3, reached: 0 });
    expect(afterSnapshot(ahead, state)).toBe(ahead);
  });

  test("that was discarded is gone, and a late refusal does not bring it back", () => {
    const outbox = without(pending("a", "b"), "a");
    expect(Object.keys(outbox)).toEqual(["b"]);
    expect(withRefused(outbox, "a", error)).toBe(outbox);
    expect(without(outbox, "a")).toBe(outbox);
  });
});

test("an outbox that nothing concerns stays the same object", () => {
  const outbox = pending("z");
  expect(afterEvents(outbox, events)).toBe(outbox);
  expect(afterSnapshot(outbox, initialState())).toBe(outbox);
});

test("only the newest twenty sent messages are remembered, and all that are not sent", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `id${index}`);
  const all = placed(ids.map((id) => userMessage(id, id)));
  const outbox = afterEvents(pending("mine", ...ids), all);
  expect(Object.keys(outbox)).toEqual(["mine", ...ids.slice(10)]);
});

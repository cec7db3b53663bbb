import { ClientError, type SessionView } from "@turnwire/client";
import { initialState } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import {
  isResendable,
  loadUnsent,
  missingFrom,
  saveUnsent,
  unsentAfter,
  type UnsentMessage,
} from "./unsent-message.ts";

type Outgoing = SessionView["sending"][string];

function outbox(...messages: readonly Partial<Outgoing>[]): SessionView["sending"] {
  return Object.fromEntries(
    messages.map((message) => {
      const whole: Outgoing = {
        client_message_id: "a",
        content: "hello",
        delivery: "turn",
        status: "pending",
        ...message,
      };
      return [whole.client_message_id, whole];
    }),
  );
}

function kept(change: Partial<UnsentMessage> = {}): UnsentMessage {
  return { client_message_id: "a", content: "hello", isSteering: false, sentAt: 1, ...change };
}

/** A storage that takes values up to a length. */
function storageOf(limit = Infinity) {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new Error("full");
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
}

describe("a message is kept", () => {
  test("from the moment it is sent until the log has it", () => {
    const pending = unsentAfter([], { before: {}, after: outbox({}), now: 1 });
    expect(pending).toEqual([kept()]);
    const failed = outbox({ status: "failed", error: new ClientError("network", "cut") });
    expect(unsentAfter(pending, { before: outbox({}), after: failed, now: 9 })).toMatchObject([
      { sentAt: 1, problem: expect.any(String) },
    ]);
    const sent = outbox({ status: "sent" });
    expect(unsentAfter(pending, { before: outbox({}), after: sent, now: 9 })).toEqual([]);
  });

  test("until it is discarded", () => {
    expect(unsentAfter([kept()], { before: outbox({}), after: {}, now: 9 })).toEqual([]);
  });

  test("although this page does not send it: another one did", () => {
    const other = kept({ client_message_id: "b" });
    expect(unsentAfter([other], { before: {}, after: {}, now: 9 })).toEqual([other]);
  });

  test("as still to be sent where the log-in has ended", () => {
    const error = new ClientError("wire", "401", { status: 401 });
    const after = outbox({ status: "failed", error });
    const [message] = unsentAfter([], { before: {}, after, now: 1 });
    expect(message && isResendable(message, 2)).toBe(true);
  });
});

test("what the log or the queue has is not missing", () => {
  const session = {
    ...initialState(),
    messages: [
      { id: "m", role: "user", seq: 1, client_message_id: "a", content: [], delivery: "turn" },
    ],
    queue: [{ message_id: "q", client_message_id: "b", content: [], delivery: "queue" }],
  } as unknown as SessionView["session"];
  const all = ["a", "b", "c"].map((id) => kept({ client_message_id: id }));
  expect(missingFrom(all, { session }).map(({ client_message_id: id }) => id)).toEqual(["c"]);
});

test("only a whole message of the last hour that was not refused is sent again without asking", () => {
  expect(isResendable(kept(), 2)).toBe(true);
  expect(isResendable(kept(), 3_600_002)).toBe(false);
  expect(isResendable(kept({ problem: "Not today" }), 2)).toBe(false);
  expect(isResendable(kept({ lostFiles: 1 }), 2)).toBe(false);
});

describe("the storage", () => {
  test("gives back what was saved, and is emptied with the last message", () => {
    const storage = storageOf();
    saveUnsent({ sessionId: "s", kept: [kept()] }, storage);
    expect(loadUnsent("s", storage)).toEqual([kept()]);
    expect(loadUnsent("other", storage)).toEqual([]);
    saveUnsent({ sessionId: "s", kept: [] }, storage);
    expect(storage.getItem("turnwire.unsent.s")).toBeNull();
  });

  test("without room for the attachments keeps the text, and how many were lost", () => {
    const storage = storageOf(1_000);
    const source = { type: "base64", media_type: "image/png", data: "A".repeat(5_000) } as const;
    const content = [
      { type: "image" as const, source },
      { type: "text" as const, text: "look" },
    ];
    saveUnsent({ sessionId: "s", kept: [kept({ content })] }, storage);
    expect(loadUnsent("s", storage)).toEqual([
      kept({ content: [{ type: "text", text: "look" }], lostFiles: 1 }),
    ]);
  });

  test("with something else in it gives nothing", () => {
    const storage = storageOf();
    for (const text of ["{", "7", '[{"client_message_id":1}]', '[{"content":[{"type":"x"}]}]']) {
      storage.setItem("turnwire.unsent.s", text);
      expect(loadUnsent("s", storage)).toEqual([]);
    }
  });
});

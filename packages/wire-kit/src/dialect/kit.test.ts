import { dialectContract } from "@turnwire/conformance";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import { foldAll, initialState, type SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { Frame } from "../../../wire/src/dialect.ts";
import { kit, kitWithPartialMessages } from "./kit.ts";
import { streamJsonView } from "../../../wire/src/stream-json/test-support/stream-json-view.ts";

interface KitFrame {
  readonly type: string;
  readonly sessionState?: object;
  readonly message?: { readonly type: string };
  readonly messages?: readonly { readonly type: string }[];
  readonly request?: { readonly requestId: string };
  readonly requestId?: string;
}

/** What a client of this wire knows: its messages, the state of its session, and what is open. */
function kitView(frames: readonly Frame[]): unknown {
  let lines: Frame[] = [];
  const state = {};
  const requests = new Set<string>();
  const lineOf = (message: { readonly type: string }): Frame => ({
    name: message.type,
    data: JSON.stringify(message),
  });
  for (const { data } of frames) {
    const frame = JSON.parse(data) as KitFrame;
    if (frame.message) lines.push(lineOf(frame.message));
    if (frame.messages) lines = frame.messages.map(lineOf);
    Object.assign(state, frame.sessionState);
    if (frame.type.endsWith("_requested")) requests.add(frame.request?.requestId ?? "");
    if (frame.type.endsWith("_resolved")) requests.delete(frame.requestId ?? "");
  }
  return { state, requests, messages: streamJsonView(lines) };
}

function isTakenBack({ type, data }: SessionEvent): boolean {
  return (
    type === "rolled_back" ||
    type === "message_deferred" ||
    (type === "message_complete" && data.retracted === true)
  );
}

const attached = { name: "a.txt", mediaType: "text/plain", data: "aGk=" };

dialectContract("kit with partial messages", {
  createDialect: () => kitWithPartialMessages,
  view: kitView,
  log: eventLogArbitrary({ maxSteps: 25 }).map((events) => {
    const end = events.findIndex(isTakenBack);
    return end < 0 ? events : events.slice(0, end);
  }),
  inputs: [
    {
      input: { type: "chat", content: " hello\n", sessionId: null, attachments: [attached] },
      command: {
        type: "user_message",
        content: [
          {
            type: "document",
            title: "a.txt",
            source: { type: "base64", media_type: "text/plain", data: "aGk=" },
          },
          { type: "text", text: "hello" },
        ],
      },
    },
    { input: { type: "interrupt" }, command: { type: "interrupt" } },
    { input: { type: "setModel", model: "opus" }, command: { type: "set_model", model: "opus" } },
    {
      input: { type: "setPermissionMode", mode: "plan" },
      command: { type: "set_permission_mode", mode: "plan" },
    },
    {
      input: { type: "permissionResponse", requestId: "p", behavior: "deny", message: "no" },
      command: {
        type: "permission_response",
        correlation_id: "p",
        behavior: "deny",
        message: "no",
      },
    },
    {
      input: { type: "questionResponse", requestId: "q", answers: { "Which?": "this" } },
      command: { type: "question_response", correlation_id: "q", answers: { "Which?": "this" } },
    },
    {
      input: { type: "hookResponse", requestId: "h", decision: { continue: true } },
      command: { type: "hook_response", correlation_id: "h", decision: { continue: true } },
    },
  ],
});

describe("the kit's input", () => {
  test.each([
    [{ type: "chat", content: "  " }, "empty_message"],
    [{ type: "chat", content: 7 }, "empty_message"],
    [{ type: "chat" }, "empty_message"],
    [
      { type: "chat", content: "x", attachments: [{ mediaType: "image/svg+xml", data: "aGk=" }] },
      "unsupported_attachment",
    ],
    [{ type: "fly" }, "unsupported_message_type"],
    [{}, "unsupported_message_type"],
  ])("refuses %j with the kit's own code", (input, reason) => {
    expect(kit.commandFrom(input, initialState())).toMatchObject({
      ok: false,
      error: { details: { reason } },
    });
  });

  test("refuses an attachment that is not base64", () => {
    const input = { type: "chat", content: "x", attachments: [{ ...attached, data: "é!" }] };
    expect(kit.commandFrom(input, initialState())).toMatchObject({ ok: false });
  });
});

describe("the kit's output", () => {
  test("has no streams and no marks of a replay unless partial messages are wanted", () => {
    const ts = "2026-11-15T09:00:00.000Z";
    const content = [{ type: "text" as const, text: '"isReplay":true' }];
    const events: SessionEvent[] = [
      { seq: 1, ts, type: "user_message", data: { message_id: "u", content, delivery: "turn" } },
      { seq: 2, ts, type: "turn_started", data: { turn_id: "t", message_id: "u" }, turn_id: "t" },
      { seq: 3, ts, type: "delta", data: { message_id: "m", text: "hi" }, turn_id: "t" },
    ];
    const [asked] = events;
    const before = foldAll(initialState(), asked ? [asked] : []);
    const started = kit.frames(before, events[1] as SessionEvent);
    expect(started.map(({ name }) => name)).toEqual([
      "message_added",
      "session_state_changed",
      "message_added",
    ]);
    const [prompt] = started.map(({ data }) => JSON.parse(data) as { message: object });
    expect(prompt?.message).toMatchObject({ type: "user", message: { content } });
    expect(prompt?.message).not.toHaveProperty("isReplay");
    const running = foldAll(initialState(), events.slice(0, 2));
    expect(kit.frames(running, events[2] as SessionEvent)).toEqual([]);
    expect(kitWithPartialMessages.frames(running, events[2] as SessionEvent)).not.toEqual([]);
  });
});

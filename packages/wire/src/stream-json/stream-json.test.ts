import { dialectContract } from "@turnwire/conformance";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import { initialState, type SessionEvent } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { streamJson } from "./stream-json.ts";
import { streamJsonView } from "./test-support/stream-json-view.ts";

/** What was sent on this wire cannot be taken back: logs end before that. */
function isTakenBack({ type, data }: SessionEvent): boolean {
  return (
    type === "rolled_back" ||
    type === "message_deferred" ||
    (type === "message_complete" && data.retracted === true)
  );
}

const ts = "2026-11-15T09:00:00.000Z";
const asked: SessionEvent[] = [
  {
    seq: 1,
    ts,
    type: "permission_request",
    data: { correlation_id: "p", tool_name: "Bash", tool_input: { command: "ls" } },
  },
  {
    seq: 2,
    ts,
    type: "question_request",
    data: { correlation_id: "q", questions: [{ question: "Which?", options: [] }] },
  },
  {
    seq: 3,
    ts,
    type: "hook_request",
    data: { correlation_id: "h", hook_event: "PreToolUse", hook_input: {} },
  },
];

function response(request_id: string, given: unknown): unknown {
  return {
    type: "control_response",
    response: { subtype: "success", request_id, response: given },
  };
}

dialectContract("stream-json", {
  createDialect: () => streamJson,
  view: streamJsonView,
  log: eventLogArbitrary({ maxSteps: 25 }).map((events) => {
    const end = events.findIndex(isTakenBack);
    return end < 0 ? events : events.slice(0, end);
  }),
  inputs: [
    {
      input: { type: "user", uuid: "u", message: { role: "user", content: "hello" } },
      command: {
        type: "user_message",
        content: [{ type: "text", text: "hello" }],
        client_message_id: "u",
      },
    },
    {
      input: {
        type: "user",
        message: {
          role: "user",
          content: [
            { type: "document", source: { type: "text", media_type: "text/plain", data: "é" } },
          ],
        },
      },
      command: {
        type: "user_message",
        content: [
          {
            type: "document",
            source: { type: "base64", media_type: "text/plain", data: "w6k=" },
          },
        ],
      },
    },
    {
      input: { type: "control_request", request_id: "1", request: { subtype: "interrupt" } },
      command: { type: "interrupt" },
    },
    {
      input: { type: "control_request", request: { subtype: "set_model", model: "opus" } },
      command: { type: "set_model", model: "opus" },
    },
    {
      input: { type: "control_request", request: { subtype: "set_permission_mode", mode: "plan" } },
      command: { type: "set_permission_mode", mode: "plan" },
    },
    {
      events: asked,
      input: response("p", { behavior: "allow", updatedInput: { command: "ls" } }),
      command: { type: "permission_response", correlation_id: "p", behavior: "allow" },
    },
    {
      events: asked,
      input: response("p", { behavior: "allow", updatedInput: { command: "ls -l" } }),
      command: {
        type: "permission_response",
        correlation_id: "p",
        behavior: "allow",
        updated_input: { command: "ls -l" },
      },
    },
    {
      events: asked,
      input: { type: "control_response", request_id: "p", permission: { allow: false } },
      command: { type: "permission_response", correlation_id: "p", behavior: "deny" },
    },
    {
      events: asked,
      input: {
        type: "control_response",
        request_id: "p",
        permission: { allow: true },
        updated_input: { command: "ls -a" },
      },
      command: {
        type: "permission_response",
        correlation_id: "p",
        behavior: "allow",
        updated_input: { command: "ls -a" },
      },
    },
    {
      events: asked,
      input: {
        type: "control_response",
        request_id: "q",
        permission: { allow: true },
        input: { "Which?": "that" },
      },
      command: { type: "question_response", correlation_id: "q", answers: { "Which?": "that" } },
    },
    {
      events: asked,
      input: {
        type: "control_response",
        response: { subtype: "error", request_id: "p", error: "broken" },
      },
      command: {
        type: "permission_response",
        correlation_id: "p",
        behavior: "deny",
        message: "broken",
      },
    },
    {
      events: asked,
      input: response("q", { behavior: "allow", updatedInput: { answers: { "Which?": "this" } } }),
      command: { type: "question_response", correlation_id: "q", answers: { "Which?": "this" } },
    },
    {
      events: asked,
      input: response("h", { continue: false }),
      command: { type: "hook_response", correlation_id: "h", decision: { continue: false } },
    },
  ],
});

test("plain text that was attached is shown as text, as the Messages API takes it", () => {
  const source = { type: "base64", media_type: "text/plain", data: "w6k=" } as const;
  const data = {
    message_id: "u",
    content: [{ type: "document" as const, title: "a.txt", source }],
    delivery: "steer" as const,
  };
  const [frame] = streamJson.frames(initialState(), { seq: 1, ts, type: "user_message", data });
  expect(JSON.parse(frame?.data ?? "")).toMatchObject({
    message: {
      content: [
        {
          type: "document",
          title: "a.txt",
          source: { type: "text", media_type: "text/plain", data: "é" },
        },
      ],
    },
  });
});

import {
  type Control,
  draft,
  foldControl,
  initialControl,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { commandFrom } from "./command.ts";

const fresh = initialControl();

function taken(input: unknown, control: Control = fresh): unknown {
  const command = commandFrom(input, control);
  return command.ok ? command.value : command.error.message;
}

const image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "aGk=" },
};

describe("what agent-webkit's clients send", () => {
  test.each([
    { type: "user_message", content: "hello" },
    { type: "user_message", content: [{ type: "text", text: "look" }, image] },
    { type: "interrupt" },
    { type: "permission_response", correlation_id: "r", behavior: "allow" },
    {
      type: "permission_response",
      correlation_id: "r",
      behavior: "allow",
      updated_input: { command: "ls" },
      updated_permissions: [{ type: "setMode" }],
    },
    { type: "permission_response", correlation_id: "r", behavior: "deny", interrupt: true },
    { type: "permission_response", correlation_id: "r", behavior: "deny", message: "no" },
    { type: "question_response", correlation_id: "r", answers: { "Which?": "a", "All?": ["b"] } },
    { type: "set_permission_mode", mode: "plan" },
    { type: "set_model", model: "large" },
    { type: "set_model", model: null },
    { type: "stop_task", task_id: "t" },
    { type: "hook_response", correlation_id: "r", decision: { decision: "block" } },
  ])("%j is a command of ours", (input) => {
    expect(taken(input)).toEqual(input);
  });

  test("without a model means the default one", () => {
    expect(taken({ type: "set_model" })).toEqual({ type: "set_model", model: null });
  });

  test("may say null for what it leaves out", () => {
    const response = { type: "permission_response", correlation_id: "r", behavior: "allow" };
    expect(taken({ ...response, updated_input: null, interrupt: null })).toEqual(response);
  });

  test.each([
    [{ type: "no_such_thing" }, "Unknown message type: no_such_thing"],
    [{}, "Unknown message type: None"],
    [{ type: 5 }, "Unknown message type: 5"],
    [{ type: "archive" }, "Unknown message type: archive"],
    [{ type: "constructor" }, "Unknown message type: constructor"],
    [{ type: "user_message" }, "Missing field: content"],
    [{ type: "user_message", content: " \n\t" }, "content must not be blank"],
    [
      { type: "user_message", content: [{ type: "text", text: "  " }] },
      "content must not be blank",
    ],
    [{ type: "permission_response", behavior: "allow" }, "Missing field: correlation_id"],
    [{ type: "permission_response", correlation_id: "r" }, "Missing field: behavior"],
    [{ type: "question_response", correlation_id: "r" }, "Missing field: answers"],
    [{ type: "set_permission_mode" }, "Missing field: mode"],
    [{ type: "stop_task", task_id: null }, "Missing field: task_id"],
    [{ type: "hook_response", correlation_id: "r" }, "Missing field: decision"],
    [null, "The body must be a JSON object."],
    [[], "The body must be a JSON object."],
    ["text", "The body must be a JSON object."],
    [5, "The body must be a JSON object."],
  ])("%j is refused in the words of its own server", (input, message) => {
    expect(commandFrom(input, fresh)).toMatchObject({
      ok: false,
      error: { code: "invalid_request", message },
    });
  });

  test.each([
    { type: "user_message", content: 5 },
    { type: "user_message", content: {} },
    { type: "user_message", content: [1] },
    { type: "permission_response", correlation_id: "r", behavior: "maybe" },
    { type: "permission_response", correlation_id: "r", behavior: "allow", interrupt: true },
    { type: "question_response", correlation_id: "r", answers: 5 },
    { type: "question_response", correlation_id: "r", answers: { "Which?": 5 } },
    { type: "set_model", model: 5 },
  ])("%j is refused although that server takes it", (input) => {
    expect(commandFrom(input, fresh)).toMatchObject({
      ok: false,
      error: { code: "invalid_request" },
    });
  });
});

describe("answers to questions", () => {
  const options = [{ label: "a" }, { label: "b" }];
  const asked = [
    draft("session_ready", {
      session_id: "s1",
      protocol_version: "1.0",
      runtime: "demo",
      capabilities: noCapabilities,
    }),
    draft("turn_started", { turn_id: "t1" }, { turn_id: "t1" }),
    draft(
      "question_request",
      {
        correlation_id: "r",
        questions: [
          { question: "One?", options },
          { question: "Two?", options, multi_select: true },
        ],
      },
      { turn_id: "t1" },
    ),
  ];
  let control = fresh;
  for (const [index, event] of asked.entries()) {
    const place = { seq: index + 1, ts: "2026-11-15T09:00:00.000Z" };
    control = foldControl(control, { ...event, ...place } satisfies SessionEvent);
  }

  test.each([
    { "One?": "a", "Two?": ["a", "b"] },
    { answers: { "One?": "a", "Two?": ["a", "b"] } },
    ["a", ["a", "b"]],
    [
      { question: "One?", selectedOptions: ["a"] },
      { question: "Two?", selectedOptions: ["a", "b"] },
    ],
    [
      { question: "Two?", answers: ["a", "b"] },
      { question: "One?", answer: "a" },
    ],
  ])("may be given as %j", (answers) => {
    const input = { type: "question_response", correlation_id: "r", answers };
    const response = { type: "question_response", correlation_id: "r" };
    expect(taken(input, control)).toEqual({
      ...response,
      answers: { "One?": "a", "Two?": ["a", "b"] },
    });
  });

  test("may leave a question out, and give one option of many", () => {
    const answers = [
      { question: "One?", selectedOptions: [] },
      { question: "Two?", selectedOptions: ["b"] },
    ];
    const input = { type: "question_response", correlation_id: "r", answers };
    expect(taken(input, control)).toEqual({ ...input, answers: { "One?": [], "Two?": ["b"] } });
  });

  test("in a list to a request that is gone are still a command, for the session to refuse", () => {
    const input = { type: "question_response", correlation_id: "gone", answers: ["a"] };
    expect(taken(input, control)).toEqual({ ...input, answers: { "0": "a" } });
  });
});

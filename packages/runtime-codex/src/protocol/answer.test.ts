import { describe, expect, test } from "vitest";
import type { RequestAnswer } from "@turnwire/runtime";
import { checkAnswer, resultFromAnswer } from "./answer.ts";

const correlation_id = "one";

function permission(
  answer: Partial<Extract<RequestAnswer, { type: "permission_response" }>>,
): Extract<RequestAnswer, { type: "permission_response" }> {
  return { type: "permission_response", correlation_id, behavior: "allow", ...answer };
}

const forSession = { updated_permissions: [{ type: "acceptForSession" }] };

describe.each(["item/commandExecution/requestApproval", "item/fileChange/requestApproval"])(
  "an answer to %s",
  (method) => {
    test.each([
      [permission({}), "accept"],
      [permission(forSession), "acceptForSession"],
      [permission({ behavior: "deny" }), "decline"],
      [permission({ behavior: "deny", interrupt: true }), "cancel"],
    ])("%j is %s", (answer, decision) => {
      expect(resultFromAnswer({ method, params: {} }, answer)).toEqual({ decision });
    });
  },
);

test("permissions are granted as they were asked for, or not at all", () => {
  const method = "item/permissions/requestApproval";
  const params = { permissions: { network: { enabled: true }, fileSystem: null } };
  expect(resultFromAnswer({ method, params }, permission(forSession))).toEqual({
    permissions: { network: { enabled: true } },
    scope: "session",
  });
  expect(resultFromAnswer({ method, params }, permission({ behavior: "deny" }))).toEqual({
    permissions: {},
    scope: "turn",
  });
});

test("answers to questions go by the question's id", () => {
  const params = {
    questions: [
      { id: "db", question: "Which database?" },
      { id: "why", question: "Why?" },
    ],
  };
  const answers = { "Which database?": "SQLite", "Something else?": "yes" };
  const answer: RequestAnswer = { type: "question_response", correlation_id, answers };
  expect(resultFromAnswer({ method: "item/tool/requestUserInput", params }, answer)).toEqual({
    answers: { db: { answers: ["SQLite"] } },
  });
});

test("several answers to a question are passed on one by one, and a refusal as none", () => {
  const method = "item/tool/requestUserInput";
  const params = { questions: [{ id: "db", question: "Which?" }] };
  const answers = { "Which?": ["SQLite", "Postgres"] };
  const answer: RequestAnswer = { type: "question_response", correlation_id, answers };
  expect(resultFromAnswer({ method, params }, answer)).toEqual({
    answers: { db: { answers: ["SQLite", "Postgres"] } },
  });
  const refusal = permission({ behavior: "deny" });
  expect(resultFromAnswer({ method, params }, refusal)).toEqual({ answers: {} });
  expect(() => resultFromAnswer({ method, params }, permission({}))).toThrow(
    /^Expected a \w+_response, got a \w+\.$/,
  );
});

describe("an answer to an MCP server", () => {
  const method = "mcpServer/elicitation/request";
  const params = {
    message: "Pick",
    requestedSchema: {
      type: "object",
      properties: { colour: { type: "string", title: "Colour" }, count: { type: "integer" } },
    },
  };

  test.each([
    [permission({}), { action: "accept", content: null, _meta: null }],
    [permission(forSession), { action: "accept", content: null, _meta: { persist: "session" } }],
    [permission({ behavior: "deny" }), { action: "decline", content: null, _meta: null }],
    [
      permission({ behavior: "deny", interrupt: true }),
      { action: "cancel", content: null, _meta: null },
    ],
  ])("takes a permission", (answer, result) => {
    expect(resultFromAnswer({ method, params }, answer)).toEqual(result);
  });

  test("fills the form, each value with its type", () => {
    const answers = { "Pick: Colour": "red", "Pick: count": "3" };
    const answer: RequestAnswer = { type: "question_response", correlation_id, answers };
    const content = { colour: "red", count: 3 };
    expect(resultFromAnswer({ method, params }, answer)).toMatchObject({
      action: "accept",
      content,
    });
  });

  test.each([
    ["boolean", "yes", true],
    ["boolean", "True", true],
    ["boolean", "no", false],
    ["number", "2.5", 2.5],
    ["array", "red", ["red"]],
    ["array", ["red", "blue"], ["red", "blue"]],
    ["string", ["red", "blue"], "red, blue"],
  ])("gives a form's only field of type %s the value of %j", (type, given, value) => {
    const form = { message: "Pick", requestedSchema: { properties: { it: { type } } } };
    // A form with one field is asked for in its own words.
    const answers = { Pick: given };
    const answer: RequestAnswer = { type: "question_response", correlation_id, answers };
    const { content } = resultFromAnswer({ method, params: form }, answer);
    expect(content).toEqual({ it: value });
  });

  test("declines without an answer", () => {
    const answer: RequestAnswer = { type: "question_response", correlation_id, answers: {} };
    expect(resultFromAnswer({ method, params }, answer)).toMatchObject({ action: "decline" });
  });
});

test("a tool's output reaches the agent as text, an error as a failure", () => {
  const request = { method: "item/tool/call", params: {} };
  const answer = { type: "tool_call_response", correlation_id, output: { open: true } } as const;
  expect(resultFromAnswer(request, answer)).toEqual({
    contentItems: [{ type: "inputText", text: '{"open":true}' }],
    success: true,
  });
  expect(resultFromAnswer(request, { ...answer, is_error: true })).toMatchObject({
    success: false,
  });
  expect(resultFromAnswer(request, { ...answer, output: "plain" })).toMatchObject({
    contentItems: [{ text: "plain" }],
  });
});

test("an answer of another kind is refused", () => {
  const request = { method: "item/commandExecution/requestApproval", params: {} };
  const answer = { type: "tool_call_response", correlation_id, output: "x" } as const;
  expect(() => resultFromAnswer(request, answer)).toThrow(/^Expected a \w+_response, got a \w+\.$/);
});

test("an answer takes what Codex offers, and nothing else", () => {
  const allow = { type: "permission_response", correlation_id, behavior: "allow" } as const;
  checkAnswer({ ...allow, updated_permissions: [{ type: "acceptForSession" }] });
  const updated_permissions = [{ type: "setMode", mode: "full-access" }];
  expect(() => checkAnswer({ ...allow, updated_permissions })).toThrow("not allowed");
});

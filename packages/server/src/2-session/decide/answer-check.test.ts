import { draft } from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import { describe, expect, test } from "vitest";
import type { RequestAnswer } from "@turnwire/runtime";
import { controlAfter, everyCapability, readyWith, runningTurn } from "../test-support/control.ts";
import { decideAnswer } from "./answer.ts";

const policy = defaultPolicy();

const context = {
  by: "ann",
  isAdmin: true,
  messageId: "new",
  maxQueue: 2,
  requestTimeoutMs: 60_000,
  now: 0,
  policy,
};
const options = [{ label: "red" }, { label: "blue" }];
const questions = [
  { question: "Which color?", options },
  { question: "Which of these?", options, options_only: true, multi_select: true },
];
const control = controlAfter(
  readyWith(everyCapability),
  ...runningTurn,
  draft("question_request", { correlation_id: "q", questions }, { turn_id: "t1" }),
  draft(
    "permission_request",
    { correlation_id: "p", tool_name: "Bash", tool_input: {} },
    { turn_id: "t1" },
  ),
);

const response = { type: "question_response", correlation_id: "q" } as const;

describe("an answer to a question", () => {
  test.each([
    { "Which color?": "red" },
    { "Which color?": "a green of my own", "Which of these?": ["red", "blue"] },
    { "Which of these?": [] },
    {},
  ])("may be %j", (answers) => {
    expect(decideAnswer(control, { ...response, answers }, context)).toMatchObject({
      ok: true,
      events: [{ type: "question_resolved", data: { answers } }],
    });
  });

  test.each([
    [{ "Which colour?": "red" }, {}, "Which colour?"],
    [{ "Which color?": "red", "0": "blue" }, {}, "0"],
    [{ constructor: "red" }, {}, "constructor"],
    [{ "Which color?": "red" }, { other: "really" }, "other"],
    [{ "Which of these?": "green" }, {}, "green"],
    [{ "Which of these?": ["red", "green"] }, {}, "green"],
  ])("%j with notes %j is refused, as that was not asked, and the question waits", (...row) => {
    const [answers, notes, why] = row;
    const decision = decideAnswer(control, { ...response, answers, notes }, context);
    expect(decision).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect(JSON.stringify(decision)).toContain(why);
  });
});

test("an answer that the runtime could do nothing with is refused in its words", () => {
  const answer: RequestAnswer = {
    type: "permission_response",
    correlation_id: "p",
    behavior: "allow",
  };
  const answerProblem = () => "no such mode";
  expect(decideAnswer(control, answer, { ...context, answerProblem })).toMatchObject({
    ok: false,
    error: { code: "invalid_request", message: "no such mode" },
  });
  expect(decideAnswer(control, answer, context).ok).toBe(true);
});

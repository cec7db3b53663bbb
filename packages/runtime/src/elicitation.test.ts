import { expect, test } from "vitest";
import { elicitationAnswer, elicitationQuestions } from "./elicitation.ts";

const form = (properties: object, message: string | null = "Pick") => ({
  serverName: "lab",
  message,
  requestedSchema: { type: "object", properties },
});

test("a form asks a question for each field, and its answers are values of the fields' types", () => {
  const asked = form({
    colour: { type: "string", enum: ["red", "blue"], enumNames: ["Red", "Blue"] },
    size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    count: { type: "integer", title: "How many?" },
    sure: { type: "boolean" },
    note: { type: "string", description: "A note" },
  });
  expect(elicitationQuestions(asked)).toEqual([
    {
      question: "Pick: colour",
      header: "lab",
      options_only: true,
      options: [{ label: "Red" }, { label: "Blue" }],
    },
    {
      question: "Pick: size",
      header: "lab",
      options_only: true,
      options: [{ label: "Small" }, { label: "l" }],
    },
    {
      question: "Pick: tags",
      header: "lab",
      options_only: true,
      multi_select: true,
      options: [{ label: "a" }, { label: "b" }],
    },
    { question: "Pick: How many?", header: "lab", options: [] },
    {
      question: "Pick: sure",
      header: "lab",
      options_only: true,
      options: [{ label: "yes" }, { label: "no" }],
    },
    { question: "Pick: A note", header: "lab", options: [] },
  ]);
  const answers = {
    "Pick: colour": "Blue",
    "Pick: size": "Small",
    "Pick: tags": ["a", "b"],
    "Pick: How many?": "3",
    "Pick: sure": "yes",
    "Pick: A note": "as it is",
  };
  expect(elicitationAnswer(asked, answers)).toEqual({
    action: "accept",
    content: {
      colour: "blue",
      size: "s",
      tags: ["a", "b"],
      count: 3,
      sure: true,
      note: "as it is",
    },
  });
});

test("a form with one field asks in its own words", () => {
  const asked = form({ name: { type: "string" } }, "What is your name?");
  expect(elicitationQuestions(asked)).toMatchObject([{ question: "What is your name?" }]);
  expect(elicitationAnswer(asked, { "What is your name?": "Ann" })).toMatchObject({
    content: { name: "Ann" },
  });
  expect(elicitationAnswer(asked, {})).toEqual({ action: "decline" });
});

test("an address is shown, and a person says that it was visited", () => {
  const asked = { serverName: "lab", message: "Log in.", url: "https://lab.example/login" };
  const question = "Log in. https://lab.example/login";
  expect(elicitationQuestions(asked)).toMatchObject([
    { question, options_only: true, options: [{ label: "Done" }, { label: "Decline" }] },
  ]);
  expect(elicitationAnswer(asked, { [question]: "Done" })).toEqual({ action: "accept" });
  expect(elicitationAnswer(asked, { [question]: "Decline" })).toEqual({ action: "decline" });
  expect(elicitationAnswer(asked, {})).toEqual({ action: "decline" });
});

import type { JsonObject } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { permissionSettings } from "./grant.ts";
import { checkAnswer, modeFromName, verdictFromAnswer } from "./permissions.ts";

const input = { command: "touch a" };
const answer = { type: "permission_response", correlation_id: "1" } as const;

describe("the answer to a request", () => {
  test("allows with the input as it was", () => {
    expect(verdictFromAnswer(input, { ...answer, behavior: "allow" })).toEqual({
      behavior: "allow",
      updatedInput: input,
    });
  });

  test("allows with another input", () => {
    const updated_input = { command: "touch b" };
    expect(verdictFromAnswer(input, { ...answer, behavior: "allow", updated_input })).toEqual({
      behavior: "allow",
      updatedInput: updated_input,
    });
  });

  test("denies with a message, made up where there is none", () => {
    expect(verdictFromAnswer(input, { ...answer, behavior: "deny", message: "no" })).toEqual({
      behavior: "deny",
      message: "no",
    });
    expect(verdictFromAnswer(input, { ...answer, behavior: "deny", interrupt: true })).toEqual({
      behavior: "deny",
      message: "The user does not want to do this.",
      interrupt: true,
    });
  });

  test("takes along modes that still ask; rules and directories are grants", () => {
    const updated_permissions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "touch *" }, { toolName: "Read" }],
        behavior: "allow",
        destination: "session",
      },
      { type: "addDirectories", directories: ["/tmp"], destination: "session" },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ];
    expect(
      verdictFromAnswer(input, { ...answer, behavior: "allow", updated_permissions }),
    ).toMatchObject({ updatedPermissions: updated_permissions.slice(2) });
    expect(permissionSettings(updated_permissions)).toMatchObject({
      allow: expect.arrayContaining(["Bash(touch *)", "Read"]),
      additionalDirectories: ["/tmp"],
    });
  });

  test.each<JsonObject>([
    { type: "setMode", mode: "bypassPermissions", destination: "session" },
    { type: "setMode", mode: "auto", destination: "session" },
    { type: "somethingNew" },
    ...["userSettings", "projectSettings", "localSettings", "cliArg"].map((destination) => ({
      type: "addDirectories",
      directories: ["/tmp"],
      destination,
    })),
  ])("refuses a change that only an admin may make, or no one: %o", (update) => {
    const updated_permissions = [{ ...update }];
    expect(() =>
      verdictFromAnswer(input, { ...answer, behavior: "allow", updated_permissions }),
    ).toThrow("not allowed");
    expect(() => checkAnswer({ ...answer, behavior: "allow", updated_permissions })).toThrow(
      "not allowed",
    );
  });

  test("gives answers by the full question, several labels joined, notes beside", () => {
    const questions = [{ question: "Which?" }, { question: "What else?" }];
    const answers = { "Which?": "This", "What else?": ["A", "B"] };
    const verdict = verdictFromAnswer(
      { questions },
      { type: "question_response", correlation_id: "1", answers, notes: { "Which?": "really" } },
    );
    expect(verdict).toEqual({
      behavior: "allow",
      updatedInput: {
        questions,
        answers: { "Which?": "This", "What else?": "A, B" },
        annotations: { "Which?": { notes: "really" } },
      },
    });
  });
});

test("a permission mode that Claude does not have is refused", () => {
  expect(modeFromName("plan")).toBe("plan");
  expect(() => modeFromName("yolo")).toThrow("yolo");
});

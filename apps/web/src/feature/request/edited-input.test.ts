import { expect, test } from "vitest";
import { editableText, editedInput } from "./edited-input.ts";

test("a command is edited as a command, and what goes with it stays", () => {
  const input = { command: "npm test", timeout: 5 };
  expect(editableText(input)).toBe("npm test");
  expect(editedInput(input, "npm run lint")).toEqual({
    type: "input",
    input: { command: "npm run lint", timeout: 5 },
  });
});

test("any other input is edited as JSON", () => {
  const input = { path: "a", count: 1 };
  expect(JSON.parse(editableText(input))).toEqual(input);
  expect(editedInput(input, '{"path":"b"}')).toEqual({ type: "input", input: { path: "b" } });
});

test("input that cannot be sent is reported, not sent", () => {
  expect(editedInput({ path: "a" }, "{path").type).toBe("problem");
  expect(editedInput({ command: "ls" }, "  ").type).toBe("problem");
});

import { expect, test } from "vitest";
import { Command } from "../command/command.ts";
import { validate } from "./validate.ts";

test.each([
  ["a message without content", {}, "content: Invalid input: expected string or array"],
  [
    "a block without its text",
    { content: [{ type: "text" }] },
    "content.0.text: Invalid input: expected string, received undefined",
  ],
  [
    "a block of an unknown type",
    { content: [{ type: "movie" }] },
    "content.0.type: Invalid discriminator value. Expected 'text' | 'image' | 'document'",
  ],
  [
    "an empty message",
    { content: "" },
    "content: Too small: expected string to have >=1 characters",
  ],
])("says what is wrong with %s, and where", (_, fields, message) => {
  const result = validate(Command, { type: "user_message", ...fields });
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_request", message } });
});

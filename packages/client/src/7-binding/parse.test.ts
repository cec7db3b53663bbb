import { describe, expect, test } from "vitest";
import { errorFrom, parseWith, type StandardSchema } from "./parse.ts";

type Validate = StandardSchema<string>["~standard"]["validate"];

function schemaOf(validate: Validate): StandardSchema<string> {
  return { "~standard": { version: 1, validate } };
}

const title: Validate = (value) =>
  typeof value === "string"
    ? { value }
    : { issues: [{ message: "a title is text" }, { message: "it is missing" }] };

describe("parsing what an agent sent", () => {
  test("gives what a schema makes of it", () => {
    expect(parseWith(schemaOf(title), "Files")).toEqual({ isValid: true, value: "Files" });
  });

  test("gives what a function makes of it", () => {
    expect(parseWith(Number, "7")).toEqual({ isValid: true, value: 7 });
  });

  test.each([
    ["a schema finds issues", schemaOf(title), "a title is text; it is missing"],
    ["a schema answers later", schemaOf(async () => ({ value: "late" })), "answers at once"],
    [
      "a schema throws",
      schemaOf(() => {
        throw new Error("no schema today");
      }),
      "no schema today",
    ],
    [
      "a function throws no error but words",
      (): string => {
        throw "bare words";
      },
      "bare words",
    ],
  ])("never throws: %s", (_name, parse, words) => {
    const parsed = parseWith(parse, 7);
    expect(parsed.isValid ? "" : parsed.error.message).toContain(words);
  });

  test("leaves an error as it is", () => {
    const error = new TypeError("mine");
    expect(errorFrom(error)).toBe(error);
  });
});

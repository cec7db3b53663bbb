import { describe, expect, test } from "vitest";
import { frontendToolsSchema } from "./frontend-tool.ts";

const FrontendTools = frontendToolsSchema(["ask_user"]);

const weather = {
  name: "local_weather",
  description: "The weather where the user is",
  input_schema: { type: "object", properties: { unit: { enum: ["C", "F"] } }, required: ["unit"] },
};

function named(name: string): object {
  return { ...weather, name };
}

function taking(input_schema: unknown): object {
  return { ...weather, input_schema };
}

describe("what a session may declare", () => {
  test("is up to 100 tools, each with a name of its own", () => {
    const tools = Array.from({ length: 100 }, (_, index) => named(`w${index}`));
    expect(FrontendTools.parse(tools)).toEqual(tools);
    expect(FrontendTools.parse([])).toEqual([]);
    expect(FrontendTools.parse([named("a".repeat(64)), taking({ type: "object" })])).toHaveLength(
      2,
    );
  });

  test.each([1, 60, 86_400])("may give each tool %s seconds", (timeout_seconds) => {
    const tools = [{ ...weather, timeout_seconds }];
    expect(FrontendTools.parse(tools)).toEqual(tools);
  });

  test.each([
    ["no time", [{ ...weather, timeout_seconds: 0 }], "timeout_seconds"],
    ["half a second", [{ ...weather, timeout_seconds: 0.5 }], "timeout_seconds"],
    ["more than a day", [{ ...weather, timeout_seconds: 86_401 }], "timeout_seconds"],
    ["a name twice", [weather, weather], "There is already a tool local_weather"],
    ["a name that is taken", [named("ask_user")], "There is already a tool ask_user"],
    ["a name with a capital", [named("Weather")], "small letters"],
    ["a name that begins with a digit", [named("2go")], "small letters"],
    ["a name with more after it", [named("a b")], "small letters"],
    ["no name", [named("")], "small letters"],
    ["a long name", [named("a".repeat(65))], "64"],
    ["no object", [taking({ type: "array" })], "a JSON Schema of an object"],
    ["no schema", [taking(undefined)], "input_schema"],
    ["wrong properties", [taking({ type: "object", properties: [] })], "properties"],
    ["wrong names", [taking({ type: "object", required: "unit" })], "required"],
    ["no description", [{ name: "w", input_schema: weather.input_schema }], "description"],
    ["more than 100", Array.from({ length: 101 }, (_, index) => named(`w${index}`)), "100"],
    ["no list", { weather }, "array"],
  ])("is not %s", (_, tools, why) => {
    expect(() => FrontendTools.parse(tools)).toThrow(why);
  });
});

import { describe, expect, test } from "vitest";
import { Command, commandSchemas, type CommandType } from "../index.ts";
import { badCommands, commandExamples } from "../test-support/example.ts";

const types = (Object.keys(commandSchemas) as CommandType[]).map((type) => ({ type }));
const response = { type: "permission_response", correlation_id: "r1" };

describe("a command", () => {
  test.each(types)("of type $type is accepted as it is", ({ type }) => {
    expect(Command.parse(commandExamples[type])).toEqual(commandExamples[type]);
  });

  test.each(types)("of type $type is refused when it is wrong", ({ type }) => {
    expect(Command.safeParse(badCommands[type]).success).toBe(false);
  });

  test("may deny and interrupt, but not allow and interrupt", () => {
    const denied = { ...response, behavior: "deny", interrupt: true };
    expect(Command.safeParse(denied).success).toBe(true);
    expect(Command.safeParse({ ...denied, behavior: "allow" }).success).toBe(false);
  });

  test("may change the input only of what it allows", () => {
    const allowed = { ...response, behavior: "allow", updated_input: {} };
    expect(Command.safeParse(allowed).success).toBe(true);
    expect(Command.safeParse({ ...allowed, behavior: "deny" }).success).toBe(false);
  });

  test("loses unknown fields", () => {
    const command = Command.parse({ type: "interrupt", surprise: true });
    expect(command).toEqual({ type: "interrupt" });
  });
});

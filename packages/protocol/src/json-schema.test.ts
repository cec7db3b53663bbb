import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  Command,
  commandSchemas,
  type CommandType,
  EventType,
  type JsonSchemaName,
  jsonSchemas,
  wireError,
} from "./index.ts";
import {
  badCommands,
  badEventData,
  commandExamples,
  eventExamples,
} from "./test-support/example.ts";

const schemas = jsonSchemas();

/** An independent reading of the schemas; formats are patterns too, so they need no plugin. */
function validator(name: JsonSchemaName) {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schemas[name]);
}

describe("the JSON Schemas", () => {
  test("are drafts of 2020-12 with titles, and plain data", () => {
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
    for (const [name, schema] of Object.entries(schemas)) {
      expect(schema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: name,
      });
    }
  });

  test("have no name that the library made up", () => {
    expect(JSON.stringify(schemas).match(/__schema\d+/g) ?? []).toEqual([]);
  });

  test("accept every event and refuse every bad one", () => {
    const validate = validator("SessionEvent");
    const envelope = { seq: 1, ts: "2026-11-15T09:00:00.000Z" };
    const answers = EventType.options.map((type) => ({
      type,
      good: validate({ ...envelope, type, data: eventExamples[type] }),
      bad: validate({ ...envelope, type, data: badEventData[type] }),
    }));
    expect(answers).toEqual(EventType.options.map((type) => ({ type, good: true, bad: false })));
  });

  test("accept every command and refuse every bad one", () => {
    const validate = validator("Command");
    const types = Object.keys(commandSchemas) as CommandType[];
    const answers = types.map((type) => ({
      type,
      good: validate(commandExamples[type]),
      bad: validate(badCommands[type]),
    }));
    expect(answers).toEqual(types.map((type) => ({ type, good: true, bad: false })));
  });

  test("allow unknown fields, as the wire does", () => {
    expect(validator("Command")({ type: "interrupt", surprise: true })).toBe(true);
    expect(Command.safeParse({ type: "interrupt", surprise: true }).success).toBe(true);
  });

  test("describe errors and sessions", () => {
    const error = wireError("queue_full", "10 messages wait already", { limit: 10 });
    expect(validator("WireErrorBody")({ error })).toBe(true);
    expect(validator("WireErrorBody")({ error: { ...error, code: "oops" } })).toBe(false);
    expect(validator("CreateSession")({ session_id: "../etc" })).toBe(false);
    expect(validator("CreateSession")({ session_id: "s-1", runtime: "demo" })).toBe(true);
    expect(validator("JsonPatch")([{ op: "remove", path: "/a" }])).toBe(true);
    expect(validator("JsonPatch")([{ op: "remove" }])).toBe(false);
  });
});

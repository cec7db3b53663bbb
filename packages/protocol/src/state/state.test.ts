import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldAll, initialState, jsonSchemas, type JsonSchema } from "../index.ts";

/** The schema without room for fields that it does not name. */
function closed(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
    const isObject = typeof value === "object" && value !== null && "properties" in value;
    return isObject && !("additionalProperties" in value)
      ? { ...value, additionalProperties: false }
      : value;
  });
}

describe("the schema of the state", () => {
  const schema = jsonSchemas().SessionState;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(closed(schema));

  test("describes the state of every log, without a field that it does not know", () => {
    fc.assert(
      fc.property(eventLogArbitrary(), (events) => {
        validate(JSON.parse(JSON.stringify(foldAll(initialState(), events))));
        expect(validate.errors).toBe(null);
      }),
    );
    expect(validate(initialState())).toBe(true);
  });

  test("refuses anything but a state", () => {
    expect(validate({ ...initialState(), seq: "1" })).toBe(false);
    expect(validate({ ...initialState(), surprise: true })).toBe(false);
    const odd = { role: "agent", id: "agent-1", seq: 1, ts: "", done: true };
    const message = { ...odd, blocks: [{ type: "surprise", key: "b1" }] };
    expect(validate({ ...initialState(), messages: [message] })).toBe(false);
  });
});

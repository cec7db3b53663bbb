import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldAll, initialState, jsonSchemas, SessionStateSchema } from "./index.ts";

describe("the schema of the state", () => {
  test("describes the state of every log, without a field that it does not know", () => {
    expect(SessionStateSchema.parse(initialState())).toEqual(initialState());
    fc.assert(
      fc.property(eventLogArbitrary(), (events) => {
        const state = foldAll(initialState(), events);
        // What a schema does not know it leaves out.
        expect(SessionStateSchema.parse(state)).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });

  test("gives every kind of block that a state can have", () => {
    const kinds = jsonSchemas().SessionState.$defs?.["Block"]?.oneOf?.length;
    expect(kinds).toBe(14);
  });
});

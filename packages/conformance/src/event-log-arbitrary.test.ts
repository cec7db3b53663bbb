import { checkGrammar, EventType, SessionEvent } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventLogArbitrary } from "./event-log-arbitrary.ts";

describe("generated logs", () => {
  test.each([{ isClosed: false }, { isClosed: true }])("keep the grammar: %o", (options) => {
    fc.assert(
      fc.property(eventLogArbitrary(options), (events) => {
        expect(checkGrammar(events)).toEqual([]);
      }),
    );
  });

  test("hold only valid events", () => {
    fc.assert(
      fc.property(eventLogArbitrary({ maxSteps: 20 }), (events) => {
        for (const event of events) expect(SessionEvent.safeParse(event).success).toBe(true);
      }),
    );
  });

  test("reach every type of event", () => {
    const logs = fc.sample(eventLogArbitrary({ isClosed: true }), { numRuns: 300, seed: 7 });
    const reached = new Set(logs.flat().map(({ type }) => type));
    expect(EventType.options.filter((type) => !reached.has(type))).toEqual([]);
  });
});

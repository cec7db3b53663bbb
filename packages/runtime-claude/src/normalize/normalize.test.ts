import { checkGrammar, eventData, type JsonObject } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { events, fixtures, replayOf, typesOf } from "../test-support/replay.ts";

describe("whatever comes", () => {
  const recorded = fixtures.names().flatMap((name) => fixtures.read(name));
  const known = fc.constantFrom(...recorded);
  const broken = fc
    .tuple(known, fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([message, junk]) => Object.assign({}, message, junk));

  test.each([
    { type: "assistant", message: { id: 7 } },
    { type: "stream_event", event: { type: "newer_event" } },
    { type: "system", subtype: "newer" },
    { type: "system" },
    { type: "result" },
    { type: "turnwire/turn_sent" },
    undefined,
    () => "a function",
  ])("a message of no known form is kept: %s", (message) => {
    expect(typesOf(events(message))).toEqual(["native"]);
  });

  test("the views of the CLI's own terminal are left out of the conversation", () => {
    const invalid = { type: "system", subtype: "ui_invalidate", event: "ui.render" };
    expect(typesOf(events(invalid))).toEqual([]);
  });

  test("it gives valid events and never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(known, broken, fc.anything())), (messages) => {
        for (const { type, data } of replayOf(messages).drafts) {
          expect(eventData[type].safeParse(data).success).toBe(true);
        }
      }),
    );
  });

  test("a stream with holes and echoes keeps the grammar", () => {
    const stream = fc.constantFrom(...fixtures.names()).chain((name) => {
      const messages = fixtures.read(name);
      const length = { minLength: messages.length, maxLength: messages.length };
      return fc
        .array(fc.constantFrom(1, 1, 1, 1, 0, 2), length)
        .map((times) =>
          messages.flatMap((message, index) =>
            Array.from({ length: isVital(message) ? 1 : (times[index] ?? 1) }, () => message),
          ),
        );
    });
    fc.assert(
      fc.property(stream, (messages) => {
        expect(checkGrammar(replayOf(messages).endNow())).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** What our own run says comes once, and without the CLI's word that it is idle no turn ends. */
function isVital({ type, subtype }: JsonObject): boolean {
  const isOurs = typeof type === "string" && type.startsWith("turnwire/");
  return isOurs || type === "command_lifecycle" || subtype === "session_state_changed";
}

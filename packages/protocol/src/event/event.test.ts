import { describe, expect, test } from "vitest";
import { eventData, EventType, SessionEvent } from "../index.ts";
import { badEventData, eventExamples } from "../test-support/example.ts";

const envelope = { seq: 1, ts: "2026-11-15T09:00:00.000Z" };
const types = EventType.options.map((type) => ({ type }));

describe("an event", () => {
  test.each(types)("of type $type is accepted as it is", ({ type }) => {
    const event = { ...envelope, type, data: eventExamples[type], turn_id: "t1" };
    expect(SessionEvent.parse(event)).toEqual(event);
    expect(SessionEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  test.each(types)("of type $type is refused with bad data", ({ type }) => {
    expect(SessionEvent.safeParse({ ...envelope, type, data: badEventData[type] }).success).toBe(
      false,
    );
    expect(eventData[type].safeParse("nothing like it").success).toBe(false);
  });

  test.each([
    { what: "a seq of 0", wrong: { seq: 0 } },
    { what: "half a seq", wrong: { seq: 1.5 } },
    { what: "a time without milliseconds", wrong: { ts: "2026-11-15T09:00:00Z" } },
    { what: "a time that is none", wrong: { ts: "now" } },
    { what: "an unknown type", wrong: { type: "dream" } },
    { what: "a turn that is not text", wrong: { turn_id: 1 } },
  ])("is refused with $what", ({ wrong }) => {
    const event = { ...envelope, type: "delta", data: eventExamples.delta, ...wrong };
    expect(SessionEvent.safeParse(event).success).toBe(false);
  });
});

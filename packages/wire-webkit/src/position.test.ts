import { describe, expect, test } from "vitest";
import { webkitPositionFrom } from "./position.ts";

const whole = { oldest: 1, head: 1503 };
const ring = { replay: "ring" } as const;

function positionOf(id: string | undefined, options = {}, log = whole): number | string {
  const position = webkitPositionFrom(id, log, options);
  return position.ok ? position.value : `${position.error.code}: ${position.error.message}`;
}

describe("where a stream of agent-webkit starts", () => {
  test.each([undefined, "", "0", "000"])("without a position (%j) at the oldest event", (id) => {
    expect(positionOf(id)).toBe(0);
    expect(positionOf(id, {}, { oldest: 504, head: 1503 })).toBe(503);
    expect(positionOf(id, ring)).toBe(503);
  });

  test.each(["abc", "-1", "1.5", "+1", "1 2", "²", "1,2", "0x1", "1e3"])(
    "is refused for %j, which is not a number of an event",
    (id) => {
      const message = "invalid_cursor: Last-Event-ID must be a non-negative integer";
      expect(positionOf(id)).toBe(message);
    },
  );

  test("is after any event that the store has", () => {
    expect(positionOf("1")).toBe(1);
    expect(positionOf("1503")).toBe(1503);
    expect(positionOf("007")).toBe(7);
  });

  test("is refused for what retention has removed", () => {
    const log = { oldest: 504, head: 1503 };
    expect(positionOf("503", {}, log)).toBe(503);
    expect(positionOf("502", {}, log)).toBe(
      "cursor_gone: Last-Event-ID 502 evicted; oldest available is 504",
    );
  });

  test("reaches back exactly the ring where only the ring counts", () => {
    expect(positionOf("503", ring)).toBe(503);
    expect(positionOf("502", ring)).toBe(
      "cursor_gone: Last-Event-ID 502 evicted; oldest available is 504",
    );
    expect(positionOf("1492", { ...ring, ringSize: 10 })).toMatch(/oldest available is 1494$/);
    expect(positionOf("1493", { ...ring, ringSize: 10 })).toBe(1493);
    expect(positionOf("1", { ...ring, ringSize: 5000 })).toBe(1);
  });

  test.each(["1504", "9".repeat(400)])("is refused for an event that is not there yet", (id) => {
    expect(positionOf(id)).toMatch(
      /^cursor_gone: Last-Event-ID \S+ is beyond the log; newest .* 1503$/,
    );
    expect(String(positionOf(id)).length).toBeLessThan(120);
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesFrom } from "./relay-frame.ts";

function read(frames: readonly string[]): { texts: string[]; rest: string } {
  const texts: string[] = [];
  let rest = "";
  for (const frame of frames) {
    const taken = linesFrom(rest, frame);
    rest = taken.rest;
    texts.push(...taken.lines.map(({ text }) => text));
  }
  return { texts, rest };
}

describe("the lines of a relay", () => {
  test("end with a newline or with their frame", () => {
    expect(read(['{"a":1}\n{"b":2}\n', '{"c":3}']).texts).toEqual([
      '{"a":1}',
      '{"b":2}',
      '{"c":3}',
    ]);
  });

  test("are the same however a relay cuts them", () => {
    const deep = fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(fc.string(), fc.constant({})));
    const object = fc.record({ type: fc.string(), text: fc.string(), deep });
    fc.assert(
      fc.property(fc.array(object, { minLength: 1 }), fc.array(fc.nat()), (objects, cuts) => {
        const lines = objects.map((value) => JSON.stringify(value));
        const whole = lines.map((line) => `${line}\n`).join("");
        const places = cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b);
        const frames = [...places, whole.length].map((end, index) =>
          whole.slice(places[index - 1] ?? 0, end),
        );
        expect(read(frames)).toEqual({ texts: lines, rest: "" });
      }),
    );
  });

  test("that are broken end where a whole one begins", () => {
    const { texts, rest } = read(["[init] session: sess_abc123", '{"type":"result"}']);
    expect(texts).toEqual(["[init] session: sess_abc123", '{"type":"result"}']);
    expect(rest).toBe("");
  });

  test("that are empty say nothing", () => {
    expect(read(["\n\n", "  \n", ""]).texts).toEqual([]);
  });

  test("that never end are given up at a limit", () => {
    const { texts, rest } = read([`{"a":"${"x".repeat(33 * 1024 * 1024)}`]);
    expect(texts.length).toBe(1);
    expect(rest).toBe("");
  });
});

import type { JsonValue } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partialObject } from "./partial-json.ts";

test.each([
  ["nothing", "", undefined],
  ["an opened object", "{", {}],
  ["a key without its colon", '{"tit', {}],
  ["a key without its value", '{"title":', {}],
  ["the beginning of a string", '{"title":"Lo', { title: "Lo" }],
  ["an escape sequence that is cut off", '{"title":"a\\', { title: "a" }],
  ["an escaped backslash", '{"title":"a\\\\', { title: "a\\" }],
  ["an escaped backslash before a u", '{"title":"a\\\\u00', { title: "a\\u00" }],
  ["half of a code point", '{"title":"a\\u00', { title: "a" }],
  ["half of an emoji, escaped", '{"title":"a\\ud83d', { title: "a" }],
  ["half of an emoji and the next escape", '{"title":"a\\ud83d\\u', { title: "a" }],
  ["half of an emoji", '{"title":"a\ud83d', { title: "a" }],
  ["a number that may have more digits", '{"data":[12,3', { data: [12] }],
  ["a number that has no more", '{"data":[12,3 ', { data: [12, 3] }],
  ["the beginning of a literal", '{"isOpen":tru', {}],
  ["objects in a list", '{"rows":[{"a":1},{"b":"x', { rows: [{ a: 1 }, { b: "x" }] }],
  ["a list that ends with a comma", '{"rows":[1,', { rows: [1] }],
  ["brackets in a string", '{"a":"}]{","b":"[', { a: "}]{", b: "[" }],
  ["a list", "[1, 2]", undefined],
  ["no JSON", "{]", undefined],
  ["no JSON either", "hello", undefined],
])("of %s shows what is certain", (_name, text, value) => {
  expect(partialObject(text)).toEqual(value);
});

describe("of any object, cut anywhere", () => {
  const object = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue());

  test("shows a beginning of it, and of the whole text the whole object", () => {
    fc.assert(
      fc.property(object, fc.boolean(), fc.nat(), (source, isWide, at) => {
        const text = JSON.stringify(source, null, isWide ? 2 : 0);
        const whole = JSON.parse(text) as JsonValue;
        expect(partialObject(text)).toEqual(whole);
        const part = partialObject(text.slice(0, 1 + (at % text.length)));
        expect(part !== undefined && isBeginning(part, whole)).toBe(true);
      }),
    );
  });

  test("shows no less when more has arrived", () => {
    fc.assert(
      fc.property(object, (source) => {
        const text = JSON.stringify(source);
        let before: JsonValue = {};
        for (let end = 1; end <= text.length; end += 1) {
          const part = partialObject(text.slice(0, end)) ?? null;
          expect(isBeginning(before, part)).toBe(true);
          before = part;
        }
      }),
      { numRuns: 30 },
    );
  });
});

test("reads deep and long texts in no time, and does not start with those that are too long", () => {
  expect(partialObject(`{"a":${"[".repeat(5000)}`)).toBeDefined();
  expect(partialObject(`{"a":"${"x".repeat(60_000)}`)).toEqual({ a: "x".repeat(60_000) });
  expect(partialObject(`{"a":"${"x".repeat(70_000)}`)).toBeUndefined();
});

function isBeginning(part: JsonValue, whole: JsonValue): boolean {
  if (typeof part === "string" && typeof whole === "string") return whole.startsWith(part);
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  if (typeof whole !== "object" || whole === null) return false;
  const wholeEntries = new Map(Object.entries(whole));
  return (
    Array.isArray(part) === Array.isArray(whole) &&
    Object.entries(part).every(([name, value]) =>
      isBeginning(value, wholeEntries.get(name) ?? null),
    )
  );
}

import { expect, expectTypeOf, test } from "vitest";
import { isObject } from "./is-object.ts";

test("an object has named members: null, arrays and scalars are none", () => {
  expect([{}, { a: 1 }, Object.create(null)].map(isObject)).toEqual([true, true, true]);
  expect([null, undefined, [], "text", 1, true].map(isObject)).not.toContain(true);
});

test("narrows a union to its object", () => {
  type Json = null | string | Json[] | { [name: string]: Json };
  const value = JSON.parse('{"a":["b"]}') as Json;
  if (!isObject(value)) throw new Error("an object was expected");
  expectTypeOf(value).toEqualTypeOf<{ [name: string]: Json }>();
  expect(value["a"]).toEqual(["b"]);
});

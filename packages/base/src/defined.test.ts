import { describe, expect, expectTypeOf, test } from "vitest";
import { defined } from "./defined.ts";

describe("defined", () => {
  test("drops the members that are undefined and keeps every other, null and false among them", () => {
    const result = defined({ a: 1, b: undefined, c: null, d: false, e: "", f: 0 });
    expect(Object.keys(result)).toEqual(["a", "c", "d", "e", "f"]);
    expect(result).toEqual({ a: 1, c: null, d: false, e: "", f: 0 });
  });

  test("makes a copy", () => {
    const members = { a: 1, b: undefined };
    defined(members);
    expect("b" in members).toBe(true);
  });

  test("fits a type whose members are optional but never undefined", () => {
    interface Options {
      readonly name: string;
      readonly limit?: number;
    }
    const limit = ((): number | undefined => undefined)();
    const options: Options = { ...defined({ name: "a", limit }) };
    expect(options).toEqual({ name: "a" });
    expectTypeOf(defined({ name: "a", limit })).toExtend<Options>();
    expectTypeOf(defined({ name: "a", limit }).name).toEqualTypeOf<string>();
  });
});

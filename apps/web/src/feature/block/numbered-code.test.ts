import { expect, test } from "vitest";
import { numberedCode } from "./numbered-code.ts";

test("numbers before lines are stripped, and the first is kept", () => {
  expect(numberedCode("   9→one\n  10→\n  11→  three\n")).toEqual({
    code: "one\n\n  three",
    first: 9,
  });
  expect(numberedCode("1\tone\n2\ttwo")).toEqual({ code: "one\ntwo", first: 1 });
});

test.each(["plain\ntext", "1→one\n3→three", "1→one\ntext", "", "1. one\n2. two"])(
  "%j stays as it is",
  (text) => {
    expect(numberedCode(text)).toEqual({ code: text });
  },
);

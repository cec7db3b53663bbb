import { describe, expect, test } from "vitest";
import { directionOf } from "./direction.ts";
import { parseMarkdown } from "./stream.ts";

function directions(text: string): readonly (string | undefined)[] {
  return parseMarkdown(text).map((block) => directionOf(block));
}

describe("the direction of a block", () => {
  test("is that of its first letter, however deep it stands", () => {
    expect(directions("Hello مرحبا")).toEqual(["ltr"]);
    expect(directions("**مرحبا** hello")).toEqual(["rtl"]);
    expect(directions("> > - שלום עולם.")).toEqual(["rtl"]);
    expect(directions("1. 42\n2. مرحبا")).toEqual(["rtl"]);
    expect(directions("| 1 | اسم |\n|---|---|\n| a | b |")).toEqual(["rtl"]);
    expect(directions("# `code` שלום")).toEqual(["ltr"]);
  });

  test("does not exist without a letter, nor in code", () => {
    expect(directions("1 + 1 = 2!\n\n---\n\n```\nمرحبا\n```")).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(directions("١٢٣")).toEqual([undefined]);
  });
});

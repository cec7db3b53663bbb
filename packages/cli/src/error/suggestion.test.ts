import { describe, expect, test } from "vitest";
import { didYouMean, nearest } from "./suggestion.ts";

describe("a suggestion", () => {
  const known = ["serve", "sessions", "send", "chat", "doctor"];

  test.each([
    ["serv", "serve"],
    ["sevre", "serve"],
    ["session", "sessions"],
    ["doc", "doctor"],
    ["cht", "chat"],
  ])("for %s is %s", (word, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  test("is missing where nothing is near", () => {
    expect(nearest("xyzzy", known)).toBeUndefined();
    expect(didYouMean("xyzzy", known)).toBe("");
    expect(didYouMean("chta", known)).toBe(" Did you mean chat?");
  });
});

import { describe, expect, test } from "vitest";
import { budgetFromText } from "./budget-text.ts";

describe("a budget in words", () => {
  test.each([
    ["tokens=200000,minutes=30", { tokens: 200_000, minutes: 30 }],
    ["cost_usd=2.5 turns=3", { cost_usd: 2.5, turns: 3 }],
  ])("%s is read", (text, budget) => {
    expect(budgetFromText(text)).toEqual(budget);
  });

  test.each([
    ["tokens=0", "tokens: must be more than 0"],
    ["minutes=-1", "minutes: must be more than 0"],
    ["turns=1.5", "turns: "],
    ["tokens", "tokens: write one of"],
    ["tokens=", "tokens=: write one of"],
    ["tokens=NaN", "tokens=NaN: write one of"],
    ["tokns=5", "tokns=5: write one of"],
    ["", "set at least one of"],
  ])("%s is refused with the reason", (text, problem) => {
    expect(budgetFromText(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

import { describe, expect, test } from "vitest";
import { budgetFor, exhausted, nothingSpent, withTurn } from "./spending.ts";

const used = { tokens: 100, cost_usd: 1, worked_ms: 120_000, turns: 4 };

describe("what a run has spent", () => {
  test("is what its turns used, whatever the session used before", () => {
    const after = { tokens: 150, cost_usd: 1.5, worked_ms: 180_000, turns: 5 };
    const once = withTurn(nothingSpent, used, after);
    expect(once).toEqual({ tokens: 50, cost_usd: 0.5, minutes: 1, turns: 1 });
    expect(withTurn(once, used, after)).toEqual({ tokens: 100, cost_usd: 1, minutes: 2, turns: 2 });
  });

  test("reaches a limit when nothing is left of it", () => {
    expect(exhausted({}, withTurn(nothingSpent, used, used))).toEqual([]);
    expect(exhausted({ turns: 1 }, withTurn(nothingSpent, used, used))).toEqual(["turns"]);
    expect(exhausted({ turns: 2 }, withTurn(nothingSpent, used, used))).toEqual([]);
  });
});

describe("the budget of a step", () => {
  test("is none where the run has no limit that a session counts", () => {
    expect(budgetFor({}, nothingSpent)).toBeUndefined();
    expect(budgetFor({ turns: 3 }, nothingSpent)).toBeUndefined();
  });

  test("is what is left, beside what the session has used", () => {
    const spent = { tokens: 10, cost_usd: 0.5, minutes: 2, turns: 1 };
    expect(budgetFor({ cost_usd: 2, minutes: 5 }, spent)).toEqual({ cost_usd: 1.5, minutes: 3 });
    expect(budgetFor({ cost_usd: 2, tokens: 50 }, spent, { used })).toEqual({
      cost_usd: 2.5,
      tokens: 140,
    });
  });

  test("stays within the limits that the session has", () => {
    const session = { used, allowed: { tokens: 120, turns: 9 } };
    expect(budgetFor({ tokens: 50 }, nothingSpent, session)).toEqual({ tokens: 120, turns: 9 });
    expect(budgetFor({ minutes: 1 }, nothingSpent, session)).toEqual({
      tokens: 120,
      turns: 9,
      minutes: 3,
    });
  });
});

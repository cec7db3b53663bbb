import { expect, test } from "vitest";
import { amountText, budgetFrom, budgetTexts, limitsText } from "./budget-text.ts";

test("limits are read as people write them, and empty fields set none", () => {
  expect(budgetFrom({ tokens: "200k", cost_usd: "$5", minutes: " 1.5 ", turns: "" })).toEqual({
    limits: { tokens: 200_000, cost_usd: 5, minutes: 1.5 },
  });
  expect(budgetFrom({ tokens: "1,200,000" })).toEqual({ limits: { tokens: 1_200_000 } });
  expect(budgetFrom({ tokens: "1.5M" })).toEqual({ limits: { tokens: 1_500_000 } });
  expect(budgetFrom({})).toEqual({ limits: {} });
});

test.each(["0", "-1", "many", "1e9", "k", ".", "1.2.3"])(
  "%j is not a limit, and the field is named",
  (text) => {
    expect(budgetFrom({ turns: "3", cost_usd: text })).toMatchObject({ kind: "cost_usd" });
  },
);

test("tokens and turns are whole numbers", () => {
  expect(budgetFrom({ turns: "1.5" })).toEqual({
    kind: "turns",
    problem: "Turns: enter a whole number.",
  });
});

test("what is shown for editing reads back as the same limits", () => {
  const limits = { tokens: 1_234_567, cost_usd: 0.25, minutes: 90, turns: 1 };
  expect(budgetFrom(budgetTexts(limits))).toEqual({ limits });
});

test("amounts have their unit", () => {
  expect(amountText("turns", 1)).toBe("1 turn");
  expect(amountText("cost_usd", 0)).toBe("$0.00");
  expect(limitsText({ tokens: 200_000, cost_usd: 5, minutes: 30 })).toBe(
    "$5.00, 200k tokens, 30 minutes",
  );
});

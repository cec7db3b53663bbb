import { expect, test } from "vitest";
import { budgetShares, raisedLimits } from "./budget-share.ts";

const used = { tokens: 150_000, cost_usd: 3.2, worked_ms: 60_000, turns: 1 };

test("the limit that is used up most comes first, with what is used of it", () => {
  const shares = budgetShares(
    { allowed: { tokens: 200_000, cost_usd: 5, turns: 4 }, used },
    Date.now(),
  );
  expect(shares.map(({ kind }) => kind)).toEqual(["tokens", "cost_usd", "turns"]);
  expect(shares.map(({ text }) => text)).toEqual([
    "150k of 200k tokens",
    "$3.20 of $5.00",
    "1 of 4 turns",
  ]);
});

test("the time that the agent works now counts, and more than all is all", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const budget = { allowed: { minutes: 2 }, used, working_since: since };
  const now = Date.parse(since);
  expect(budgetShares(budget, now)).toMatchObject([{ share: 0.5, text: "1 of 2 minutes" }]);
  expect(budgetShares(budget, now + 600_000)).toMatchObject([{ share: 1 }]);
});

test("a raised limit is beyond what is used, whatever that is", () => {
  expect(raisedLimits(["cost_usd"], { cost_usd: 5 }, { cost_usd: 5.013 })).toEqual({
    cost_usd: 10.02,
  });
  expect(raisedLimits(["tokens", "turns"], { tokens: 100, turns: 1 }, { tokens: 350 })).toEqual({
    tokens: 450,
    turns: 2,
  });
});

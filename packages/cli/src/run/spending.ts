import { type Budget, type BudgetLimit, budgetLimits, type BudgetUse } from "@turnwire/protocol";
import type { RunLimits } from "./plan.ts";

/** What the turns of a run have used together. */
export type Spending = Readonly<Record<BudgetLimit, number>>;

export const nothingSpent: Spending = { tokens: 0, cost_usd: 0, minutes: 0, turns: 0 };

/** What was used between two readings of a session's budget, and one turn. */
export function withTurn(spent: Spending, before: BudgetUse, after: BudgetUse): Spending {
  return {
    tokens: spent.tokens + Math.max(0, after.tokens - before.tokens),
    cost_usd: spent.cost_usd + Math.max(0, after.cost_usd - before.cost_usd),
    minutes: spent.minutes + Math.max(0, after.worked_ms - before.worked_ms) / 60_000,
    turns: spent.turns + 1,
  };
}

/** The limits of which nothing is left. */
export function exhausted(limits: RunLimits, spent: Spending): BudgetLimit[] {
  return budgetLimits.filter((name) => spent[name] >= (limits[name] ?? Infinity));
}

/**
 * The budget that holds a session's next turn to what is left for the run: beside what the session
 * has used before, and within the limits that it has already. Turns are not in it, because the run
 * itself starts them and no one shall be asked when they are used up.
 */
export function budgetFor(
  limits: RunLimits,
  spent: Spending,
  session: { readonly allowed?: Budget; readonly used?: BudgetUse } = {},
): Budget | undefined {
  const { allowed = {}, used } = session;
  const usedOf: Spending = used ? { ...used, minutes: used.worked_ms / 60_000 } : nothingSpent;
  const own = (["tokens", "cost_usd", "minutes"] as const).flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const left = usedOf[name] + limit - spent[name];
    return [[name, Math.min(left, allowed[name] ?? Infinity)] as const];
  });
  return own.length === 0 ? undefined : { ...allowed, ...Object.fromEntries(own) };
}

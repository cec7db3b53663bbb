import type { BudgetLimit, SessionBudget } from "./budget.ts";

/** The figures that a budget can limit. */
export const budgetLimits = ["tokens", "cost_usd", "minutes", "turns"] as const;

/** How much of a limit is used, in the limit's unit; `now` in milliseconds counts what is not in the state yet. */
export function usedOf(
  { used, working_since: since }: SessionBudget,
  name: BudgetLimit,
  now?: number,
): number {
  if (name !== "minutes") return used[name];
  const working = since === undefined || now === undefined ? 0 : elapsedMs(since, now);
  return (used.worked_ms + working) / 60_000;
}

/** The limits that are reached. */
export function reachedLimits(budget: SessionBudget, now?: number): BudgetLimit[] {
  return budgetLimits.filter((name) => {
    const allowed = budget.allowed[name];
    return allowed !== undefined && usedOf(budget, name, now) >= allowed;
  });
}

/** Clocks may step back, and a time may be unknown: neither takes away what was used. */
export function elapsedMs(since: string, now: number): number {
  const ms = now - Date.parse(since);
  return ms > 0 ? ms : 0;
}

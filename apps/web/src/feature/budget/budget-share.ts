import { usedOf, type SessionBudget } from "@turnwire/protocol";
import { amountText, budgetKinds, type BudgetKind, type BudgetLimits } from "./budget-text.ts";

/** How much of one limit is used. */
export interface BudgetShare {
  readonly kind: BudgetKind;
  /** 0 to 1. */
  readonly share: number;
  /** $3.20 of $5.00 */
  readonly text: string;
}

/** The limits of a budget, the one that is used up most first. */
export function budgetShares(budget: SessionBudget, now: number): readonly BudgetShare[] {
  return budgetKinds
    .flatMap((kind) => {
      const allowed = budget.allowed[kind];
      if (allowed === undefined) return [];
      const used = usedOf(budget, kind, now);
      const share = Math.min(1, used / allowed);
      return [{ kind, share, text: `${plain(kind, used)} of ${amountText(kind, allowed)}` }];
    })
    .toSorted((left, right) => right.share - left.share);
}

/** An amount whose unit follows later. */
function plain(kind: BudgetKind, amount: number): string {
  return amountText(kind, amount).replace(/ [a-z]+$/, "");
}

/** What to offer for limits that are reached: as much again. */
export function raisedLimits(
  reached: readonly BudgetKind[],
  allowed: BudgetLimits,
  used: BudgetLimits,
): BudgetLimits {
  const limits: { [Kind in BudgetKind]?: number } = {};
  for (const kind of reached) {
    const before = allowed[kind] ?? 0;
    const next = Math.max(before, used[kind] ?? 0) + before;
    limits[kind] = kind === "cost_usd" ? Math.ceil(next * 100) / 100 : Math.ceil(next);
  }
  return limits;
}

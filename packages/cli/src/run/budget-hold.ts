import type { Session } from "@turnwire/client";
import { type Budget, type BudgetLimit, type BudgetUse, reachedLimits } from "@turnwire/protocol";
import type { RunLimits } from "./plan.ts";
import { budgetFor, type Spending, withTurn } from "./spending.ts";

const nothingUsed: BudgetUse = { tokens: 0, cost_usd: 0, worked_ms: 0, turns: 0 };

/** How long it may take until the session has its limits. */
const SETTING_MS = 120_000;

/** A session that may use no more in its next turn than is left for the run. */
export interface BudgetHold {
  /** What the run has used with the turn that ended. */
  spent(): Spending;
  /** The limits that the session has reached. */
  reached(): BudgetLimit[];
  /** Gives the session the budget back that it had before: the limits were the run's. */
  release(): Promise<void>;
}

export async function holdToBudget(
  session: Session,
  limits: RunLimits,
  spent: Spending,
): Promise<BudgetHold> {
  const now = () => session.getState().session.session.budget;
  const earlier = now();
  const budget = budgetFor(limits, spent, earlier);
  if (budget) {
    const { seq } = await session.execute({ type: "set_budget", budget });
    await session.waitFor(({ session: state }) => state.seq >= seq, { timeoutMs: SETTING_MS });
  }
  const before = now()?.used ?? nothingUsed;
  return {
    spent: () => withTurn(spent, before, now()?.used ?? before),
    reached: () => {
      const current = now();
      return current ? reachedLimits(current) : [];
    },
    async release() {
      // Somebody may have given the session other limits meanwhile: those stay.
      if (!budget || !isSame(now()?.allowed, budget)) return;
      await session.execute({ type: "set_budget", budget: earlier?.allowed ?? null });
    },
  };
}

function isSame(left: Budget | undefined, right: Budget): boolean {
  const { tokens, cost_usd, minutes, turns } = left ?? {};
  return (
    tokens === right.tokens &&
    cost_usd === right.cost_usd &&
    minutes === right.minutes &&
    turns === right.turns
  );
}

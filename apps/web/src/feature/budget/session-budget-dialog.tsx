import type { SessionView } from "@turnwire/client";
import { usedOf } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { BudgetDialog } from "./budget-dialog.tsx";
import { amountText, countedKinds, type BudgetKind, type BudgetLimits } from "./budget-text.ts";

/** Sets the budget of the session on this page. */
export function SessionBudgetDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const budget = useSessionSelector(budgetOf);
  const kinds = countedKinds(useSessionSelector((view) => view.session.session.capabilities));
  const [openedAt] = useState(() => Date.now());
  const used: { [Kind in BudgetKind]?: string } = {};
  if (budget) {
    for (const kind of kinds) {
      used[kind] = amountText(kind, usedOf(budget, kind, openedAt));
    }
  }
  const save = async (limits: BudgetLimits): Promise<void> => {
    const isEmpty = Object.keys(limits).length === 0;
    await session.execute({ type: "set_budget", budget: isEmpty ? null : limits });
  };
  return (
    <BudgetDialog
      limits={budget?.allowed ?? {}}
      kinds={kinds}
      used={used}
      onSave={save}
      onClose={onClose}
    />
  );
}

function budgetOf({ session }: SessionView): SessionView["session"]["session"]["budget"] {
  return session.session.budget;
}

import type { SessionView } from "@turnwire/client";
import { useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { useSecond } from "../../element/use-now.ts";
import style from "./budget-meter.module.css";
import { budgetShares } from "./budget-share.ts";
import { budgetLabels } from "./budget-text.ts";
import { SessionBudgetDialog } from "./session-budget-dialog.tsx";

/** From here on the budget will soon be used up. */
const NEARLY_USED = 0.8;

/** How much of the session's budget is used, by the limit that is nearest; opens the budget. */
export function BudgetMeter() {
  const budget = useSessionSelector(budgetOf);
  const now = useSecond(budget?.working_since !== undefined);
  const [isOpen, setOpen] = useState(false);
  const shares = budget ? budgetShares(budget, now) : [];
  const [nearest] = shares;
  if (!nearest) return null;
  const all = shares.map(({ kind, text }) => `${budgetLabels[kind]}: ${text}`).join("\n");
  return (
    <>
      <button
        type="button"
        className={`inline-row quiet gap-2 rigid tiny numbers ${style.button}`}
        title={`Budget\n${all}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className={`meter ${style.track}`} data-nearly-used={nearest.share >= NEARLY_USED}>
          <span style={{ width: `${nearest.share * 100}%` }} />
        </span>
        <span className="visually-hidden">Budget: </span>
        {nearest.text}
      </button>
      {isOpen && <SessionBudgetDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function budgetOf({ session }: SessionView): SessionView["session"]["session"]["budget"] {
  return session.session.budget;
}

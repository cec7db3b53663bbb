import { usedOf, type BudgetBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { useId, useState } from "react";
import { Button } from "../../element/button.tsx";
import { raisedLimits } from "../budget/budget-share.ts";
import {
  amountText,
  budgetFrom,
  budgetLabels,
  budgetTexts,
  type BudgetLimits,
} from "../budget/budget-text.ts";
import { useKeptState } from "../session/session-memory.ts";
import style from "./budget-card.module.css";
import { KeyButton } from "./key-button.tsx";
import type { Ending } from "./request-ending.ts";
import { RequestCard } from "./request-card.tsx";

/** The session's budget is used up: raise it, or stop. */
export function BudgetCard({ block }: { readonly block: BudgetBlock }) {
  const { id, request, progress, respond } = useRequest(block);
  const { reached, allowed } = request;
  const fieldId = useId();
  const [texts, setTexts] = useKeptState(
    `${id} budget`,
    budgetTexts(raisedLimits(reached, allowed, usedLimits(block))),
  );
  const [problem, setProblem] = useState<string>();
  const raise = (): void => {
    const read = budgetFrom(texts);
    if ("problem" in read) setProblem(read.problem);
    else if (Object.keys(read.limits).length === 0) {
      setProblem("Enter a new limit, or remove the budget.");
    } else respond({ decision: "raise", budget: read.limits });
  };
  const subject = reached.map((kind) => usedText(block, kind)).join(", ");
  return (
    <RequestCard
      id={id}
      title="The budget is used up"
      progress={progress}
      answer={endingOf(block)}
      subject={subject}
      keys={{ allow: raise }}
      actions={
        <form
          className="stack gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            raise();
          }}
        >
          <div className={style.fields}>
            {reached.map((kind) => (
              <div key={kind} className="stack gap-1">
                <label className="tiny soft" htmlFor={`${fieldId}-${kind}`}>
                  New limit: {budgetLabels[kind]}
                </label>
                <input
                  id={`${fieldId}-${kind}`}
                  className="input"
                  type="text"
                  inputMode="decimal"
                  autoComplete="off"
                  value={texts[kind] ?? ""}
                  aria-invalid={problem !== undefined}
                  aria-describedby={problem === undefined ? undefined : `${fieldId}-problem`}
                  onChange={(event) => {
                    setTexts({ ...texts, [kind]: event.currentTarget.value });
                    setProblem(undefined);
                  }}
                />
              </div>
            ))}
          </div>
          <div role="alert">
            {problem !== undefined && (
              <p id={`${fieldId}-problem`} className="small bad">
                {problem}
              </p>
            )}
          </div>
          <div className="buttons">
            <KeyButton look="strong" shortcut="y" type="submit">
              Raise and continue
            </KeyButton>
            <Button onClick={() => respond({ decision: "raise", budget: null })}>
              Continue without a budget
            </Button>
            <Button look="danger" onClick={() => respond({ decision: "stop" })}>
              Stop here
            </Button>
          </div>
        </form>
      }
    >
      <ul className="stack gap-1 small soft">
        {reached.map((kind) => (
          <li key={kind}>{usedText(block, kind)}</li>
        ))}
      </ul>
    </RequestCard>
  );
}

type Kind = BudgetBlock["request"]["reached"][number];

function usedText({ request }: BudgetBlock, kind: Kind): string {
  const { allowed, used } = request;
  const limit = allowed[kind] ?? 0;
  const spent = amountText(kind, usedOf({ allowed, used }, kind));
  return `${budgetLabels[kind]}: ${spent} used of ${amountText(kind, limit)}`;
}

function usedLimits({ request }: BudgetBlock): BudgetLimits {
  const { allowed, used, reached } = request;
  return Object.fromEntries(reached.map((kind) => [kind, usedOf({ allowed, used }, kind)]));
}

function endingOf({ resolution }: BudgetBlock): Ending | undefined {
  switch (resolution?.decision) {
    case "raise":
      return { text: "Budget raised", tone: "good" };
    case "stop":
      return { text: "Stopped at the budget", tone: "bad" };
    case undefined:
      return undefined;
  }
}

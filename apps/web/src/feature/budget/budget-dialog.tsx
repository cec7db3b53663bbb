import { useId, useRef, useState } from "react";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { plainError } from "../../element/plain-error.ts";
import style from "./budget-dialog.module.css";
import {
  budgetFrom,
  budgetLabels,
  budgetTexts,
  type BudgetKind,
  type BudgetLimits,
} from "./budget-text.ts";

interface BudgetDialogProps {
  readonly limits: BudgetLimits;
  /** What the agent reports, so that it can be limited. */
  readonly kinds: readonly BudgetKind[];
  /** What was used of each, below its field. */
  readonly used?: Readonly<Partial<Record<BudgetKind, string>>>;
  /** Rejects with what is wrong; no limits at all end the budget. */
  readonly onSave: (limits: BudgetLimits) => Promise<void>;
  readonly onClose: () => void;
}

const hints: Readonly<Record<BudgetKind, string>> = {
  cost_usd: "5",
  tokens: "200k",
  minutes: "30",
  turns: "10",
};

/** Sets how much a session may use. */
export function BudgetDialog(props: BudgetDialogProps) {
  const { limits, kinds, used = {}, onSave, onClose } = props;
  const id = useId();
  const [texts, setTexts] = useState(() => budgetTexts(limits));
  const [problem, setProblem] = useState<{ readonly kind?: BudgetKind; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = async (next: BudgetLimits): Promise<void> => {
    setBusy(true);
    try {
      await onSave(next);
      onClose();
    } catch (error) {
      setProblem({ text: plainError(error) });
      setBusy(false);
    }
  };
  const submit = (): void => {
    const read = budgetFrom(texts);
    if ("limits" in read) {
      void save(read.limits);
      return;
    }
    setProblem({ kind: read.kind, text: read.problem });
    const field = form.current?.elements.namedItem(read.kind);
    if (field instanceof HTMLInputElement) field.focus();
  };
  return (
    <Dialog title="Budget of this session" onClose={onClose}>
      <form
        ref={form}
        className="dialog-body stack gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="pretty small soft">
          When one is used up, the agent pauses and asks you to raise it or to stop. An empty field
          sets no limit.
        </p>
        <div className={style.fields}>
          {kinds.map((kind) => (
            <div key={kind} className={`stack gap-1 ${style.field}`}>
              <label className="small medium" htmlFor={`${id}-${kind}`}>
                {budgetLabels[kind]}
              </label>
              <input
                id={`${id}-${kind}`}
                className="input"
                name={kind}
                type="text"
                inputMode="decimal"
                autoComplete="off"
                placeholder={`No limit, for example ${hints[kind]}`}
                value={texts[kind] ?? ""}
                aria-invalid={problem?.kind === kind}
                aria-describedby={problem?.kind === kind ? `${id}-problem` : `${id}-${kind}-used`}
                onChange={(event) => {
                  setTexts({ ...texts, [kind]: event.currentTarget.value });
                  setProblem(undefined);
                }}
              />
              <span id={`${id}-${kind}-used`} className="if-any tiny faint">
                {used[kind] !== undefined && `Used: ${used[kind]}`}
              </span>
            </div>
          ))}
        </div>
        <div role="alert">
          {problem && (
            <p id={`${id}-problem`} className="small bad">
              <CodeWords text={problem.text} />
            </p>
          )}
        </div>
        <footer className="flow gap-3 end">
          {Object.keys(limits).length > 0 && (
            <Button disabled={isBusy} onClick={() => void save({})}>
              Remove all limits
            </Button>
          )}
          <Button look="strong" type="submit" disabled={isBusy}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

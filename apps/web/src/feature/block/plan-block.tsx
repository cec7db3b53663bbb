import type { PlanBlock, PlanStep } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import { Prose } from "../../element/prose/prose.tsx";
import style from "./plan-block.module.css";

const marks: Readonly<Record<PlanStep["status"], string>> = {
  pending: "To do",
  in_progress: "In progress",
  completed: "Done",
};

/** The plan of the agent, as a checklist. */
export function PlanBlockView({ block }: { readonly block: PlanBlock }) {
  const { steps, explanation } = block;
  const done = steps.filter(({ status }) => status === "completed").length;
  return (
    <section className={style.plan} aria-label="Plan">
      <header className={style.head}>
        <span className={style.title}>Plan</span>
        {steps.length > 0 && (
          <span className={style.count}>
            {done} of {steps.length} done
          </span>
        )}
      </header>
      {explanation !== undefined && explanation !== "" && (
        <div className={style.explanation}>
          <Prose text={explanation} />
        </div>
      )}
      <ol>
        {steps.map((step, index) => (
          <li key={`${index} ${step.text}`} data-status={step.status}>
            <span className={style.mark} role="img" aria-label={marks[step.status]}>
              {step.status === "completed" && <Icon name="check" size={12} />}
            </span>
            {step.text}
          </li>
        ))}
      </ol>
    </section>
  );
}

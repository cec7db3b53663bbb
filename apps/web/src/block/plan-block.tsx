import type { PlanBlock, PlanStep } from "@turnwire/protocol";
import style from "./plan-block.module.css";

const marks: Readonly<Record<PlanStep["status"], string>> = {
  pending: "To do",
  in_progress: "In progress",
  completed: "Done",
};

/** What the agent means to do, as a checklist. */
export function PlanBlockView({ block }: { readonly block: PlanBlock }) {
  return (
    <section className={style.plan} aria-label="Plan">
      {block.explanation !== undefined && <p>{block.explanation}</p>}
      <ol>
        {block.steps.map((step, index) => (
          <li key={`${index} ${step.text}`} data-status={step.status}>
            <span className={style.mark} role="img" aria-label={marks[step.status]} />
            {step.text}
          </li>
        ))}
      </ol>
    </section>
  );
}

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
    <section className={`panel stack gap-2 ${style.plan}`} aria-label="Plan">
      <header className="line gap-3 spread">
        <span className="small strong">Plan</span>
        {steps.length > 0 && (
          <span className="tiny numbers faint">
            {done} of {steps.length} done
          </span>
        )}
      </header>
      {explanation !== undefined && explanation !== "" && (
        <div className="small soft">
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

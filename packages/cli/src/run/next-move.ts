import { saysDone, type ReviewVerdict, verdictOf } from "./last-line.ts";
import type { RunPlan } from "./plan.ts";

export type StepType = "work" | "review";

/** How the turn of a step ended. */
export type StepOutcome = "ok" | "failed" | "stopped" | "limit_reached";

/** What the next move depends on of a step that is over. */
export interface StepEnd {
  readonly type: StepType;
  readonly iteration: number;
  readonly outcome: StepOutcome;
  /** The agent's final answer. */
  readonly answer: string;
}

/** How a run ended; `not_done`: the iterations are used up. */
export type RunOutcome = "done" | "not_done" | Exclude<StepOutcome, "ok">;

export type Move =
  | { readonly type: StepType; readonly iteration: number }
  | { readonly type: "end"; readonly outcome: RunOutcome };

/** What comes after the steps so far. */
export function nextMove(plan: RunPlan, steps: readonly StepEnd[]): Move {
  const last = steps.at(-1);
  if (!last) return { type: "work", iteration: 1 };
  const { iteration, outcome } = last;
  if (outcome !== "ok") return { type: "end", outcome };
  if (isAccepted(plan, last)) return { type: "end", outcome: "done" };
  if (last.type === "work" && isReadyForReview(plan, last)) return { type: "review", iteration };
  return iteration < plan.maxIterations
    ? { type: "work", iteration: iteration + 1 }
    : { type: "end", outcome: "not_done" };
}

function isAccepted(plan: RunPlan, step: StepEnd): boolean {
  return step.type === "review"
    ? verdictOfStep(step) === "PASS"
    : plan.review === undefined && hasFinished(plan, step);
}

function isReadyForReview(plan: RunPlan, step: StepEnd): boolean {
  return plan.review !== undefined && hasFinished(plan, step);
}

function hasFinished({ until }: RunPlan, { answer }: StepEnd): boolean {
  return until === undefined || saysDone(answer, until);
}

/** A review without a clear verdict does not pass. */
export function verdictOfStep({ answer }: Pick<StepEnd, "answer">): ReviewVerdict {
  return verdictOf(answer) ?? "FAIL";
}

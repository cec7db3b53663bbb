import { defined } from "@turnwire/base";
import type { AgentMessage, BudgetLimit } from "@turnwire/protocol";
import { exitCode } from "../error/cli-error.ts";
import type { ReviewVerdict } from "./last-line.ts";
import type { RunOutcome, StepEnd } from "./next-move.ts";

/** A step that is over, with all that is known of it. */
export interface StepRecord extends StepEnd {
  readonly runtime: string;
  readonly sessionId: string;
  readonly turnId: string | undefined;
  readonly verdict?: ReviewVerdict;
  /** Why it did not go well, for people. */
  readonly problem?: string | undefined;
  readonly result: AgentMessage["result"];
}

/** A run that is over. */
export interface RunRecord {
  readonly outcome: RunOutcome;
  readonly steps: readonly StepRecord[];
  readonly reached: readonly BudgetLimit[];
}

/** What programs can rely on. */
export function exitCodeOf(outcome: RunOutcome): number {
  switch (outcome) {
    case "done":
      return exitCode.ok;
    case "failed":
    case "stopped":
      return exitCode.turnFailed;
    case "limit_reached":
      return exitCode.limitReached;
    case "not_done":
      return exitCode.notDone;
  }
}

/** The answer of the run: what the working agent said last. */
export function answerOf({ steps }: Pick<RunRecord, "steps">): string {
  const work = steps.findLast(({ type }) => type === "work");
  const structured = work?.result?.structured_output;
  return structured === undefined ? (work?.answer ?? "") : JSON.stringify(structured);
}

/** A run as one object. */
export function runReport(run: RunRecord): object {
  const work = run.steps.findLast(({ type }) => type === "work");
  return {
    outcome: run.outcome,
    text: answerOf(run),
    ...defined({ structured_output: work?.result?.structured_output }),
    session_id: work?.sessionId ?? null,
    iterations: work?.iteration ?? 0,
    ...(run.reached.length > 0 && { reached: run.reached }),
    cost_usd: sumOf(run.steps.map(({ result }) => result?.total_cost_usd)),
    steps: run.steps.map((step) => ({
      type: step.type,
      iteration: step.iteration,
      runtime: step.runtime,
      session_id: step.sessionId,
      turn_id: step.turnId ?? null,
      outcome: step.outcome,
      ...(step.verdict && { verdict: step.verdict }),
      text: step.answer,
      ...(step.problem !== undefined && { problem: step.problem }),
      result: step.result ?? null,
    })),
  };
}

/** Null where nothing was reported. */
function sumOf(figures: readonly (number | undefined)[]): number | null {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0);
}

/** Why a run did not end well, in one sentence; undefined where it did. */
export function explanation({ outcome, steps, reached }: RunRecord): string | undefined {
  const last = steps.at(-1);
  const name = last?.type === "review" ? "The review" : "The turn";
  const place = last ? ` Session ${last.sessionId}.` : "";
  switch (outcome) {
    case "done":
      return undefined;
    case "failed":
      return `${name} failed${last?.problem === undefined ? "" : `: ${withoutDot(last.problem)}`}.${place}`;
    case "stopped":
      return `${name} was stopped.${place}`;
    case "limit_reached": {
      const names = reached.join(", ");
      return `A limit was reached${names && `: ${names}`}.${place}`;
    }
    case "not_done":
      return last?.type === "review"
        ? `The work did not pass the review: --max-iterations ${last.iteration} is used up.${place}`
        : `The agent did not report that it is done: --max-iterations ${last?.iteration} is used up.${place}`;
  }
}

function withoutDot(sentence: string): string {
  return sentence.trim().replace(/\.$/, "");
}

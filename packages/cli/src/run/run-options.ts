import { defined } from "@turnwire/base";
import type { Budget, BudgetLimit } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import { type CommandValues, defaultIterations } from "../option/option-table.ts";
import type { RunPlan } from "./plan.ts";

type RunValues = CommandValues<"run">;

/** What the options say of the turns; those that contradict each other are refused. */
export function runPlanFrom(values: RunValues, task: string): RunPlan {
  const { until, review, fresh } = values;
  const maxIterations = values["max-iterations"];
  const isContinued = values.session !== undefined || values.continue;
  if (values.session !== undefined && values.continue) {
    throw new CliError("usage", "--session and --continue both choose a session: write one.");
  }
  if (isContinued && fresh) {
    throw new CliError("usage", "--fresh begins new sessions: leave out --session and --continue.");
  }
  if (until !== undefined && /[\r\n]/.test(until)) {
    throw new CliError("usage", "--until must be one line.");
  }
  if (maxIterations !== undefined && until === undefined && review === undefined) {
    throw new CliError("usage", "--max-iterations goes with --until or --review.");
  }
  for (const name of ["review-model", "review-policy-mode"] as const) {
    if (values[name] !== undefined && review === undefined) {
      throw new CliError("usage", `--${name} goes with --review.`);
    }
  }
  if (isContinued) refuseNewSessionOptions(values);
  return {
    task,
    until: until?.trim(),
    review:
      review === undefined
        ? undefined
        : {
            runtime: review,
            model: values["review-model"],
            policyMode: values["review-policy-mode"],
          },
    isFresh: fresh,
    isStructured: values["output-schema"] !== undefined,
    maxIterations: maxIterations ?? defaultIterations,
  };
}

/** What can only be chosen when a session is made. */
function refuseNewSessionOptions(values: RunValues): void {
  const given = [
    ["--system-prompt", values["system-prompt"] !== undefined],
    ["--output-schema", values["output-schema"] !== undefined],
    ["--title", values.title !== undefined],
    ["--worktree", values.worktree || values.branch !== undefined || values.base !== undefined],
    ["--sandbox", values.sandbox || values["no-network"]],
    ["--runtime", values.runtime !== undefined && values.session !== undefined],
    ["--cwd", values.cwd !== undefined && values.session !== undefined],
  ] as const;
  const wrong = given.find(([, isGiven]) => isGiven)?.[0];
  if (wrong === undefined) return;
  throw new CliError("usage", `${wrong} is for new sessions: the one to continue has its own.`);
}

/** What all turns together may use. */
export function limitsFrom(values: RunValues): Budget {
  return defined({
    minutes: values["max-minutes"],
    turns: values["max-turns"],
    cost_usd: values["max-cost"],
    tokens: values["max-tokens"],
  });
}

/** The option that sets a limit. */
export const limitOption: Readonly<Record<BudgetLimit, string>> = {
  minutes: "--max-minutes",
  turns: "--max-turns",
  cost_usd: "--max-cost",
  tokens: "--max-tokens",
};

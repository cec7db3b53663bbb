import { defined } from "@turnwire/base";
import type { Budget, BudgetLimit } from "@turnwire/protocol";
import { CliError } from "../cli-error.ts";
import { connectionOptions } from "../configuration.ts";
import {
  amountOption,
  choiceOption,
  flagOption,
  integerOption,
  type OptionValues,
  textOption,
} from "../option.ts";
import { sessionOptions } from "../session-options.ts";
import type { RunPlan } from "./plan.ts";

const DEFAULT_ITERATIONS = 20;

const { budget: _limitsOfARunAreItsOwn, ...newSessionOptions } = sessionOptions;

export const runOptions = {
  file: textOption({ short: "f", argument: "FILE", description: "Read the prompt from a file" }),
  "output-format": choiceOption({
    argument: "FORMAT",
    choices: ["text", "json", "stream-json"],
    preset: "text",
    description:
      "text: the answer; json: one object at the end; stream-json: Claude's messages, one per line, as they come",
  }),
  session: textOption({ argument: "ID", description: "Continue this session" }),
  continue: flagOption({
    description: "Continue the session that was last used in the directory",
  }),
  until: textOption({
    argument: "SIGNAL",
    description:
      "Work on, turn after turn, until the agent ends an answer with this text alone on the last line",
  }),
  review: textOption({
    argument: "RUNTIME",
    description: "Have the work reviewed by this kind of agent, and corrected until it passes",
  }),
  "review-model": textOption({ argument: "MODEL", description: "The model that reviews" }),
  "review-policy-mode": textOption({
    argument: "MODE",
    description: "What the reviewer may do (default: planner, which changes nothing)",
  }),
  "max-iterations": integerOption({
    argument: "N",
    least: 1,
    description: `How often the agent may work with --until or --review (default: ${DEFAULT_ITERATIONS})`,
  }),
  fresh: flagOption({
    description: "Give every turn a session of its own, which knows nothing of those before",
  }),
  "max-minutes": amountOption({
    argument: "MINUTES",
    description: "How long the agents may work, all turns together",
  }),
  "max-turns": integerOption({
    argument: "N",
    least: 1,
    description: "How many turns there may be, reviews included",
  }),
  "max-cost": amountOption({ argument: "USD", description: "What they may cost, in US dollars" }),
  "max-tokens": integerOption({
    argument: "N",
    least: 1,
    description: "How many tokens the models may read and write",
  }),
  ...newSessionOptions,
  ...connectionOptions,
};

export type RunValues = OptionValues<typeof runOptions>;

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
    maxIterations: maxIterations ?? DEFAULT_ITERATIONS,
  };
}

/** What can only be chosen when a session is made. */
function refuseNewSessionOptions(values: RunValues): void {
  const given = [
    ["--system-prompt", values["system-prompt"] !== undefined],
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

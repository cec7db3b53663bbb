import { resolve } from "node:path";
import { defined } from "@turnwire/base";
import type { Budget, CreateSession } from "@turnwire/protocol";
import { budgetExample, budgetFromText } from "./budget-text.ts";
import { CliError } from "./cli-error.ts";
import type { Context } from "./command.ts";
import { flagOption, type OptionValues, textOption } from "./option.ts";
import type { NewSession } from "./session-selection.ts";

/** What can be said about a session that is about to be made. */
export const sessionOptions = {
  runtime: textOption({
    argument: "NAME",
    description: "The kind of agent (default: the server's)",
  }),
  model: textOption({ argument: "MODEL", description: "The model the agent uses" }),
  effort: textOption({
    argument: "LEVEL",
    description: "How much the agent thinks, such as low or high",
  }),
  "system-prompt": textOption({
    argument: "TEXT",
    description: "Instructions for the agent beside its own",
  }),
  "permission-mode": textOption({
    argument: "MODE",
    description: "How much the agent may do without asking",
  }),
  budget: textOption({
    argument: "LIMITS",
    description: `How much the agent may use before it asks you, such as ${budgetExample}`,
  }),
  "policy-mode": textOption({
    argument: "MODE",
    description:
      "What the agent may do whatever its permission mode, such as planner (default: the server's)",
  }),
  cwd: textOption({
    argument: "DIR",
    description: "Where the agent works (default: here, if the server allows it)",
  }),
  worktree: flagOption({
    description: "Work in a new git worktree of the directory, on a branch of its own",
  }),
  branch: textOption({ argument: "NAME", description: "The branch of the worktree" }),
  base: textOption({
    argument: "REF",
    description: "What the worktree starts from (default: what is checked out)",
  }),
  sandbox: flagOption({
    description: "Run the agent's commands in a sandbox: they write only where it works",
  }),
  "no-network": flagOption({
    description: "Run them in a sandbox that reaches no network",
  }),
  title: textOption({ argument: "TITLE", description: "A name for the session" }),
};

type SessionValues = OptionValues<typeof sessionOptions> & { readonly url: string | undefined };

/** The session that the options describe; a server elsewhere knows nothing of our directories. */
export function newSessionFrom(
  values: SessionValues,
  { cwd: here }: Pick<Context, "cwd">,
): NewSession {
  const { runtime, model, effort, title, cwd, url } = values;
  const mode = values["permission-mode"];
  const wish: CreateSession = {
    ...defined({ runtime, model, effort, permission_mode: mode }),
    ...defined({ policy_mode: values["policy-mode"] }),
    ...defined({ system_prompt: values["system-prompt"] }),
    ...(cwd !== undefined && { cwd: resolve(here, cwd) }),
    ...(values.budget !== undefined && { budget: budgetFrom(values.budget) }),
    ...defined({ title, worktree: worktreeFrom(values), sandbox: sandboxFrom(values) }),
  };
  return { wish, here: url === undefined ? here : undefined };
}

/** A branch or a base alone asks for a worktree too. */
function worktreeFrom({ worktree, branch, base }: SessionValues): CreateSession["worktree"] {
  if (branch === undefined && base === undefined) return worktree ? true : undefined;
  return defined({ branch, base });
}

/** To be without the network takes a sandbox. */
function sandboxFrom(values: SessionValues): CreateSession["sandbox"] {
  if (values["no-network"]) return { network: false };
  return values.sandbox ? { network: true } : undefined;
}

function budgetFrom(text: string): Budget {
  const budget = budgetFromText(text);
  if ("problem" in budget) throw new CliError("usage", `--budget: ${budget.problem}.`);
  return budget;
}

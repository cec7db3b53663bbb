import { resolve } from "node:path";
import { defined } from "@turnwire/base";
import type { Budget, CreateSession } from "@turnwire/protocol";
import { budgetFromText } from "../option/budget-text.ts";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";
import type { CommandValues } from "../option/option-table.ts";
import { isLoopback } from "../configuration/configuration.ts";
import type { NewSession } from "./session-selection.ts";

type SessionValues = CommandValues<"chat">;

/** The session that the options describe; a server on another machine knows nothing of our directories. */
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
  return { wish, here: url === undefined || isOnThisMachine(url) ? here : undefined };
}

function isOnThisMachine(url: string): boolean {
  return isLoopback(new URL(url).hostname.replaceAll(/[[\]]/g, ""));
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

import type { CreateSession } from "@turnwire/protocol";
import type { ChoiceOption } from "../../element/choice.tsx";
import { pickedLimits, type BudgetKind, type BudgetLimits } from "../budget/budget-text.ts";

/** Where and within which bounds the agent works. */
export interface StartOptions {
  readonly worktree?: "new" | undefined;
  readonly sandbox?: "network" | "no_network" | undefined;
  readonly budget?: BudgetLimits | undefined;
}

export const worktreeOptions: readonly ChoiceOption[] = [
  {
    value: "",
    label: "Project folder",
    description: "The agent changes the files that you see.",
  },
  {
    value: "new",
    label: "New worktree",
    description: "A branch and a folder of its own: your files stay as they are.",
  },
];

export const sandboxOptions: readonly ChoiceOption[] = [
  { value: "", label: "No sandbox", description: "Commands run with your own rights." },
  {
    value: "network",
    label: "Sandbox",
    description: "Commands write only where the agent works; they can reach the network.",
  },
  {
    value: "no_network",
    label: "Sandbox, no network",
    description: "Commands write only where the agent works and reach no network.",
  },
];

type StartBody = Pick<CreateSession, "worktree" | "sandbox" | "budget">;

interface StartFacts {
  readonly branch: string;
  readonly hasGit: boolean;
  readonly hasSandbox: boolean;
  /** What the chosen agent reports, so that it can be limited. */
  readonly budgetKinds: readonly BudgetKind[];
}

/** The options as the server takes them; a worktree needs a repository, a sandbox an agent that has one, a limit one that counts it. */
export function startBody(
  options: StartOptions,
  { branch, hasGit, hasSandbox, budgetKinds }: StartFacts,
): StartBody {
  const name = branch.trim();
  const { worktree, sandbox, budget = {} } = options;
  const limits = pickedLimits(budget, budgetKinds);
  return {
    ...(worktree === "new" && hasGit && { worktree: name === "" ? true : { branch: name } }),
    ...(sandbox && hasSandbox && { sandbox: { network: sandbox === "network" } }),
    ...(Object.keys(limits).length > 0 && { budget: limits }),
  };
}

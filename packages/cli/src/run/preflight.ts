import { type Budget, budgetLimits, type PolicyInfo, type RuntimeInfo } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import type { Reviewer } from "./plan.ts";
import { limitOption } from "./run-options.ts";

/** Budgets count these for every agent. */
const alwaysCounted = ["minutes", "turns"];

/** What can be checked before an agent begins, so that a run does not fail half-way. */
export function checkAgent(
  runtimes: readonly RuntimeInfo[],
  name: string | undefined,
  limits: Budget,
): RuntimeInfo {
  const runtime = runtimes.find((one) => (name === undefined ? one.is_default : one.name === name));
  if (!runtime) {
    const known = runtimes.map((one) => one.name).join(", ");
    throw new CliError("usage", `There is no runtime "${name}"; the server has: ${known}.`);
  }
  if (!runtime.is_available) {
    const reason = runtime.problem ?? "it is not connected";
    throw new CliError("server_refused", `${runtime.label} cannot be used: ${reason}`);
  }
  const { budgets = alwaysCounted } = runtime.capabilities;
  const missing = budgetLimits.find(
    (limit) => limits[limit] !== undefined && limit !== "turns" && !budgets.includes(limit),
  );
  if (missing !== undefined) {
    throw new CliError(
      "usage",
      `${limitOption[missing]} cannot hold ${runtime.label}, which does not report what that takes: use --max-minutes, --max-turns${budgets.includes("tokens") ? " or --max-tokens" : ""}.`,
    );
  }
  return runtime;
}

/** The policy mode that holds a reviewer: unless another was chosen, one that changes nothing. */
export function reviewMode(
  { policyMode }: Reviewer,
  { capabilities, label }: RuntimeInfo,
  policy: PolicyInfo,
): string | undefined {
  if (!capabilities.tool_policy) {
    if (policyMode === undefined) return undefined;
    throw new CliError("usage", `--review-policy-mode cannot hold ${label}: leave it out.`);
  }
  const mode = policyMode ?? "planner";
  const known = policy.modes.map(({ name }) => name);
  if (known.includes(mode)) return mode;
  throw new CliError(
    "usage",
    `--review-policy-mode: there is no policy mode "${mode}"; there are ${known.join(", ")}.`,
  );
}

import type { Runtime } from "@turnwire/server";
import { type Finding, ok, warning } from "./finding.ts";

export async function checkRuntime(runtime: Runtime): Promise<Finding> {
  const name = `runtime ${runtime.name}`;
  const check = await runtime.check();
  const details = Object.entries(check.details ?? {}).map(([key, value]) => `${key} ${value}`);
  if (check.isAvailable) return ok(name, ["ready", ...details].join(", "));
  return warning(name, "cannot be used yet", check.problem ?? "It did not say why.");
}

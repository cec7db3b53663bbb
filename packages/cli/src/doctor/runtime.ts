import { join } from "node:path";
import { access } from "node:fs/promises";
import type { Runtime } from "@turnwire/server";
import type { PlannedRuntime } from "../runtime-catalog.ts";
import { type Finding, ok, warning } from "./finding.ts";
import { findProgram } from "./machine.ts";

export async function checkRuntime(runtime: Runtime): Promise<Finding> {
  const name = `runtime ${runtime.name}`;
  const check = await runtime.check();
  const details = Object.entries(check.details ?? {}).map(([key, value]) => `${key} ${value}`);
  if (check.isAvailable) return ok(name, ["ready", ...details].join(", "));
  return warning(name, "cannot be used yet", check.problem ?? "It did not say why.");
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Which way into the vendor's service this machine has, if any. Looks at names only, never at secrets. */
async function credentialOf(
  { variables, loginFiles, program }: PlannedRuntime,
  { env, home }: { env: NodeJS.ProcessEnv; home: string },
): Promise<string> {
  const variable = variables.find((name) => env[name]);
  if (variable !== undefined) return `${variable} is set`;
  for (const login of loginFiles) {
    const directory = env[login.variable] ?? join(home, login.home);
    if (await exists(join(directory, login.file))) return `${program} is logged in`;
  }
  const path = await findProgram([program], env);
  return path === undefined ? "no key and no login found" : `${path} is there, but not logged in`;
}

/** Says honestly that a runtime is not here yet, and whether this machine is ready for it. */
export async function checkPlanned(
  planned: PlannedRuntime,
  machine: { env: NodeJS.ProcessEnv; home: string },
): Promise<Finding> {
  const credential = await credentialOf(planned, machine);
  return warning(
    `runtime ${planned.name}`,
    `not built into this version (${credential})`,
    "A later version brings it; until then use the demo.",
  );
}

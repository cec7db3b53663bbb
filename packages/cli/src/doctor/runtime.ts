import type { Runtime } from "@turnwire/server";
import { type Finding, ok, warning } from "./finding.ts";

/** `defaultName` is the runtime that sessions get which name none. */
export async function checkRuntime(
  runtime: Runtime,
  defaultName: string | undefined,
): Promise<Finding> {
  const name = `runtime ${runtime.name}`;
  const { isAvailable, connection, details = {}, problem } = await runtime.check();
  if (!isAvailable) return warning(name, "not connected", problem ?? "It did not say why.");
  const state = connection?.status === "scripted" ? "scripted, touches nothing" : "connected";
  const facts = [
    ...(runtime.name === defaultName ? ["the default"] : []),
    ...Object.entries(details).map(([key, value]) => `${key} ${value}`),
  ];
  return ok(name, [state, ...facts].join(", "));
}

import type { PermissionBlock } from "@turnwire/protocol";
import type { Ending } from "./request-ending.ts";

/** The answer to a permission request, in words; undefined if no one answered. */
export function permissionEnding({ request, resolution }: PermissionBlock): Ending | undefined {
  if (resolution?.outcome !== "answered") return undefined;
  const { allowed, message, updated_input, updated_permissions = [] } = resolution;
  const isPlan = typeof request.context?.["plan"] === "string";
  if (!allowed) {
    const text = isPlan ? "Plan sent back" : "Denied";
    return { text: message === undefined ? text : `${text}: ${message}`, tone: "bad" };
  }
  if (isPlan) return { text: "Plan approved", tone: "good" };
  const always = updated_permissions.length > 0 ? " always" : "";
  const changed = updated_input === undefined ? "" : " with changes";
  return { text: `Allowed${always}${changed}`, tone: "good" };
}

import type { PermissionGrant } from "@turnwire/protocol";
import { suggestionText } from "./suggestion.ts";

/** What a grant lets the agent do, in words. */
export function grantText({ tool_name, permission }: PermissionGrant): string {
  const { type, command, files } = permission;
  if (type !== "acceptForSession") return suggestionText(permission);
  if (typeof command === "string") return `Run: ${command}`;
  if (Array.isArray(files)) {
    return `Change ${files.filter((path) => typeof path === "string").join(", ")}`;
  }
  return `Uses of ${tool_name} like the one you allowed`;
}

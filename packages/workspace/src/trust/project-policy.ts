import { isObject } from "@turnwire/base";
import type { ConfigurationRule, Definition } from "@turnwire/runtime/configuration";

/** Where a project has its policy; the digest of trust covers it. */
export const projectPolicyRules: readonly ConfigurationRule[] = [
  {
    kind: "policy",
    path: ".turnwire/policy.json",
    reach: "repository",
    canExecute: true,
    read: readModes,
  },
];

export function isProjectPolicy(path: string): boolean {
  return path.endsWith("/.turnwire/policy.json");
}

/** The modes that a policy file says something of. */
function readModes(text: string): Definition[] {
  const data: unknown = JSON.parse(text);
  const modes = isObject(data) ? data["modes"] : undefined;
  if (!isObject(modes)) return [{}];
  return Object.entries(modes).map(([name, mode]) => {
    const description = isObject(mode) ? mode["description"] : undefined;
    return { name, ...(typeof description === "string" && { detail: description }) };
  });
}

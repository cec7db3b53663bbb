import type { CommandContainment, ToolPolicy } from "@turnwire/protocol";

/** What the policy did, in a few words. */
export function decisionTitle({ verdict }: Pick<ToolPolicy, "verdict">): string {
  switch (verdict) {
    case "allow":
      return "Allowed by policy";
    case "ask":
      return "Asked because of the policy";
    case "deny":
      return "Refused by policy";
  }
}

/** Where the decision comes from: rule, mode and version. */
export function decisionSource(
  decision: Pick<ToolPolicy, "rule" | "mode" | "policy_version">,
): string {
  const { rule, mode, policy_version: version } = decision;
  return `Rule \`${rule}\` · mode \`${mode}\` · version \`${version.slice(0, VERSION_LENGTH)}\``;
}

/** The way a command runs once it is allowed, in words; undefined for other tools. */
export function containmentWords(containment: CommandContainment | undefined): string | undefined {
  switch (containment) {
    case undefined:
      return undefined;
    case "none":
      return "Once allowed, it runs outside containment.";
    case "without_network":
      return "Ran contained, without a network.";
    case "with_network":
      return "Ran contained.";
  }
}

/** A version is a digest; its beginning tells two apart. */
const VERSION_LENGTH = 8;

/** A reason as the end of a sentence. It may begin with a command, so its first letter stays as it is. */
export function reasonEnding(reason: string): string {
  const text = reason.trim();
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`;
}

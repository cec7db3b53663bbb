import type { Settings } from "@anthropic-ai/claude-agent-sdk";
import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { toolServerName } from "./tool-server-name.ts";

const Rule = z.object({ toolName: z.string(), ruleContent: z.string().optional() });

/** What a person may allow for the session and take back: rules that allow, and directories. */
const Grant = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("addRules"),
    rules: z.array(Rule),
    behavior: z.literal("allow"),
  }),
  z.object({ type: z.literal("addDirectories"), directories: z.array(z.string()) }),
]);

export function isGrant(update: object): boolean {
  return Grant.safeParse(update).success;
}

/**
 * The permissions of the CLI's inline settings: our own tools, the session's allowed ones, and what a person granted. They stand
 * there and not among the rules that the CLI remembers of an answer, because those cannot be taken back.
 */
export function permissionSettings(
  grants: readonly JsonObject[],
  allowedTools: readonly string[] = [],
): NonNullable<Settings["permissions"]> {
  const known = grants.flatMap((grant) => Grant.safeParse(grant).data ?? []);
  const rules = known.flatMap((grant) => (grant.type === "addRules" ? grant.rules : []));
  const directories = known.flatMap((grant) =>
    grant.type === "addDirectories" ? grant.directories : [],
  );
  return {
    // What they do happens in the UI, before the eyes of whoever would be asked.
    allow: [`mcp__${toolServerName}__*`, ...allowedTools, ...rules.map(ruleText)],
    ...(directories.length > 0 && { additionalDirectories: directories }),
  };
}

/** A rule as it stands in a settings file: `Bash(npm test:*)`. */
function ruleText({ toolName, ruleContent }: z.infer<typeof Rule>): string {
  if (ruleContent === undefined) return toolName;
  return `${toolName}(${ruleContent.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
}

import type { HookEvent, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject } from "@turnwire/protocol";
import { RuntimeError } from "@turnwire/runtime";

/** The events whose outcome a person can decide; the others only inform. */
const hookEvents = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PermissionRequest",
  "Elicitation",
  "ConfigChange",
] as const satisfies readonly HookEvent[];

/** Throws a RuntimeError where the CLI would never ask. */
export function hookEventFrom(name: string): HookEvent {
  const event = hookEvents.find((known) => known === name);
  if (event !== undefined) return event;
  throw new RuntimeError(
    "invalid_input",
    `hooks: Claude has no hook event ${JSON.stringify(name)} that a person can decide. Choose among ${hookEvents.join(", ")}.`,
  );
}

/** The decision that refuses what a hook is asked about; nothing where there is nothing to refuse. */
export function refusalOfHook(
  { hook_event: name }: { hook_event: string },
  reason: string,
): JsonObject {
  return JsonObject.parse(refusal(name, reason));
}

function refusal(name: string, reason: string): SyncHookJSONOutput {
  switch (name) {
    case "PreToolUse":
      return {
        hookSpecificOutput: {
          hookEventName: name,
          permissionDecision: "deny",
          permissionDecisionReason: reason,
        },
      };
    case "PermissionRequest":
      return {
        hookSpecificOutput: {
          hookEventName: name,
          decision: { behavior: "deny", message: reason },
        },
      };
    case "Elicitation":
      return { hookSpecificOutput: { hookEventName: name, action: "decline" } };
    case "ConfigChange":
      return { decision: "block", reason };
    default:
      return {};
  }
}

import type { HookEvent } from "@anthropic-ai/claude-agent-sdk";
import { RuntimeError } from "../runtime.ts";

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

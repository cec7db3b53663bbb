import type { SDKControlInitializeResponse } from "@anthropic-ai/claude-agent-sdk";
import { type Capabilities, noCapabilities } from "@turnwire/protocol";
import { claudeEnvironment } from "./environment.ts";
import type { ClaudeRuntimeOptions } from "./options.ts";
import { adminModes, bypassProblem, permissionModes } from "./permissions.ts";

/** What a run offers before it has told more by itself. */
export function capabilitiesFor({ hookEvents = [], env }: ClaudeRuntimeOptions): Capabilities {
  const canBypass = bypassProblem(claudeEnvironment(env)) === undefined;
  return {
    ...noCapabilities,
    interrupt: true,
    steer: true,
    resume: true,
    permissions: true,
    questions: true,
    hooks: hookEvents.length > 0,
    thinking: true,
    images: true,
    documents: true,
    subagents: true,
    set_model: true,
    set_permission_mode: true,
    stop_task: true,
    fork: true,
    rollback: true,
    compact: true,
    permission_modes: permissionModes.filter((mode) => canBypass || mode !== "bypassPermissions"),
    admin_modes: [...adminModes],
  };
}

/** The same with what a process said of itself when it started. */
export function capabilitiesFrom(
  { commands, models }: Pick<SDKControlInitializeResponse, "commands" | "models">,
  options: ClaudeRuntimeOptions,
): Capabilities {
  return {
    ...capabilitiesFor(options),
    models: models.map(({ value, displayName }) => ({ id: value, label: displayName })),
    slash_commands: commands.map(({ name, description }) => ({ name, description })),
  };
}

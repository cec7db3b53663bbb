import type { SDKControlInitializeResponse } from "@anthropic-ai/claude-agent-sdk";
import { type Capabilities, noCapabilities } from "@turnwire/protocol";
import { claudeContainmentCapability } from "../setting/containment.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import { efforts } from "../setting/effort.ts";
import { modelFromClaude } from "../setting/model.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { adminModes, bypassProblem, modeInfo, permissionModes } from "../setting/permissions.ts";
import { hasSandbox } from "../setting/sandbox.ts";

/** What a run offers before it has reported more itself. */
export function capabilitiesFor(options: ClaudeRuntimeOptions): Capabilities {
  const { hookEvents = [], env } = options;
  const problem = bypassProblem(claudeEnvironment(env));
  return {
    ...noCapabilities,
    interrupt: true,
    steer: true,
    resume: true,
    permissions: true,
    edit_tool_input: true,
    tool_policy: true,
    sandbox: hasSandbox(),
    containment: claudeContainmentCapability(options),
    revoke_permissions: true,
    questions: true,
    hooks: hookEvents.length > 0,
    thinking: true,
    images: true,
    documents: true,
    components: true,
    frontend_tools: true,
    shared_state: true,
    tool_input_stream: true,
    subagents: true,
    set_model: true,
    set_effort: true,
    set_permission_mode: true,
    stop_task: true,
    fork: true,
    rollback: true,
    rollback_files: true,
    compact: true,
    context_usage: true,
    reconnect_mcp: true,
    history: true,
    permission_modes: permissionModes.filter(
      (mode) => problem === undefined || mode !== "bypassPermissions",
    ),
    admin_modes: [...adminModes],
    mode_info: modeInfo,
    efforts: [...efforts],
    budgets: ["tokens", "cost_usd", "minutes", "turns"],
    session_options: [
      "system_prompt",
      "system_prompt.replace",
      "mcp_servers",
      "allowed_tools",
      "disallowed_tools",
      "hooks",
      "max_turns",
      "output_schema",
    ],
    ...(problem !== undefined && { unavailable_modes: { bypassPermissions: problem } }),
  };
}

/** What a process reports of itself when it has started. */
export type AgentIntroduction = Pick<SDKControlInitializeResponse, "commands" | "models">;

/** The same with what a process reported of itself. */
export function capabilitiesFrom(
  { commands, models }: AgentIntroduction,
  options: ClaudeRuntimeOptions,
): Capabilities {
  return {
    ...capabilitiesFor(options),
    models: models.map(modelFromClaude),
    slash_commands: commands.map(({ name, description }) => ({ name, description })),
  };
}

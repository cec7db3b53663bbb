import { defined } from "@turnwire/base";
import {
  type Capabilities,
  type CreateSession,
  rejected,
  type SessionOption,
  type SystemPrompt,
} from "@turnwire/protocol";
import type { RunDefaults, RunConfiguration } from "@turnwire/runtime";
import { refuseBudget } from "./budget.ts";
import { refuseEffort, refuseMode } from "./setting.ts";

type Refusal = ReturnType<typeof rejected>;

/** What they may start, allow or take away is as much as running commands. */
const adminOptions: ReadonlySet<SessionOption> = new Set<SessionOption>([
  "system_prompt.replace",
  "mcp_servers",
  "allowed_tools",
  "hooks",
]);

/** Refuses what the runtime does not support, and what only an admin may set. Errors name the field, never its value. */
export function refuseOptions(
  options: CreateSession,
  capabilities: Capabilities,
  isAdmin: boolean,
): Refusal | undefined {
  const { permission_mode: mode, effort, budget } = options;
  return (
    (mode === undefined ? undefined : refuseMode(capabilities, mode, isAdmin)) ??
    (effort === undefined ? undefined : refuseEffort(capabilities, effort)) ??
    (budget === undefined ? undefined : refuseBudget(capabilities, budget)) ??
    refuseConfiguration(usedOptions(options), capabilities, isAdmin)
  );
}

function refuseConfiguration(
  used: readonly SessionOption[],
  { session_options: supported = [] }: Capabilities,
  isAdmin: boolean,
): Refusal | undefined {
  for (const field of used) {
    if (!supported.includes(field)) {
      return rejected("capability_missing", `${field}: this runtime does not support it.`, {
        capability: "session_options",
        field,
      });
    }
    if (adminOptions.has(field) && !isAdmin) {
      return rejected("forbidden", `${field}: only an admin may set it.`, { field });
    }
  }
  return undefined;
}

/** The options that a session sets, in the words of `capabilities.session_options`. */
export function usedOptions(options: CreateSession): SessionOption[] {
  const prompt = systemPromptFrom(options.system_prompt);
  const isUsed: Record<SessionOption, boolean> = {
    system_prompt: prompt !== undefined,
    "system_prompt.replace": prompt?.mode === "replace",
    mcp_servers: options.mcp_servers !== undefined,
    allowed_tools: options.allowed_tools !== undefined,
    disallowed_tools: options.disallowed_tools !== undefined,
    hooks: options.hooks !== undefined,
    max_turns: options.max_turns !== undefined,
    output_schema: options.output_schema !== undefined,
    agents: options.agents !== undefined,
  };
  // The keys of a Record over the union are its members.
  return (Object.keys(isUsed) as SessionOption[]).filter((field) => isUsed[field]);
}

/** What a run is configured with, in its own words. */
export function configurationFrom(options: CreateSession): RunConfiguration {
  const { agents, params } = options;
  return defined({
    systemPrompt: systemPromptFrom(options.system_prompt),
    mcpServers: options.mcp_servers,
    allowedTools: options.allowed_tools,
    disallowedTools: options.disallowed_tools,
    hookEvents: options.hooks,
    maxTurns: options.max_turns,
    outputSchema: options.output_schema,
    agents: agents && agentLimitsFrom(agents),
    params,
    sandbox: options.sandbox,
  });
}

/** Defaults for the runs of a runtime: of these options, those that it supports. */
export function runDefaultsFrom(
  { effort, ...options }: CreateSession,
  { session_options: supported = [], efforts, set_effort }: Capabilities,
): RunDefaults {
  const isKnown = effort !== undefined && set_effort && efforts.includes(effort);
  const lacking = usedOptions(options).filter((field) => !supported.includes(field));
  const omitted = lacking.map((field) =>
    field === "system_prompt.replace" ? "system_prompt" : field,
  );
  const kept = Object.entries(options).filter(([field]) => !omitted.some((one) => one === field));
  return { ...configurationFrom(Object.fromEntries(kept)), ...(isKnown && { effort }) };
}

function systemPromptFrom(
  prompt: SystemPrompt | undefined,
): Exclude<SystemPrompt, string> | undefined {
  return typeof prompt === "string" ? { mode: "append", text: prompt } : prompt;
}

function agentLimitsFrom({
  max_threads: maxAtOnce,
  max_depth: maxDepth,
}: NonNullable<CreateSession["agents"]>) {
  return defined({ maxAtOnce, maxDepth });
}

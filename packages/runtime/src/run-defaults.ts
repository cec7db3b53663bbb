import type { RunConfiguration, RunOptions } from "./runtime.ts";

/** What every run of a runtime is configured with unless its session says otherwise. */
export type RunDefaults = Omit<RunConfiguration, "params"> & Pick<RunOptions, "effort">;

/** A session's own word goes first; MCP servers, tools and hooks add up. */
export function withDefaults(run: RunOptions, defaults: RunDefaults = {}): RunOptions {
  const { mcpServers, allowedTools, disallowedTools, hookEvents } = defaults;
  return {
    ...defaults,
    ...run,
    ...(mcpServers && { mcpServers: { ...mcpServers, ...run.mcpServers } }),
    ...(allowedTools && { allowedTools: union(allowedTools, run.allowedTools) }),
    ...(disallowedTools && { disallowedTools: union(disallowedTools, run.disallowedTools) }),
    ...(hookEvents && { hookEvents: union(hookEvents, run.hookEvents) }),
    ...(defaults.agents && { agents: { ...defaults.agents, ...run.agents } }),
  };
}

function union(left: readonly string[], right: readonly string[] = []): readonly string[] {
  return [...new Set([...left, ...right])];
}

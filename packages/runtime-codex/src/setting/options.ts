import { homedir } from "node:os";
import { join } from "node:path";
import type { Clock, Logger } from "@turnwire/base";
import { frontendToolsSchema, type JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import type { ProcessRegistry, SupervisionLimits } from "@turnwire/runtime/process";
import type { RunDefaults } from "@turnwire/runtime";
import { uiToolNames } from "@turnwire/runtime/ui-tool";
import { tomlValue } from "./toml-value.ts";

export interface CodexRuntimeOptions {
  /** The directory that Codex keeps its threads and settings in (its CODEX_HOME); `~/.turnwire/codex` by default, as under `turnwire serve`. */
  readonly home?: string;
  /** Whether the home is a person's own, so that only what must be is changed there. */
  readonly isHomeShared?: boolean;
  /** Whether the settings in the person's own home apply too, where this home is another; false by default. */
  readonly usesPersonalSettings?: boolean;
  /** An app-server that runs already, as ws:// or wss://; without it, one is started here. */
  readonly url?: string;
  /** The bearer token of that app-server. */
  readonly token?: string;
  /** The model of sessions that name none; without it, Codex's own choice. */
  readonly model?: string;
  /** Added to Codex's environment, before what it inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings as in config.toml, by dotted key; they go before the home's own. */
  readonly config?: CodexConfig;
  /** What sessions are configured with unless they say otherwise. */
  readonly defaults?: RunDefaults;
  /** Another program than the one that came with `@openai/codex`. */
  readonly executable?: string;
  /** How long Codex may take to start. */
  readonly startMs?: number;
  /** How long Codex may take to answer one call. */
  readonly callMs?: number;
  /** Measures how long calls take. */
  readonly clock?: Clock;
  readonly registry?: ProcessRegistry;
  /** Gets what Codex writes to stderr. */
  readonly logger?: Logger;
  readonly limits?: Partial<SupervisionLimits>;
}

/** The options with the home that Codex has. */
export interface CodexOptions extends CodexRuntimeOptions {
  readonly home: string;
}

export function withHome(options: CodexRuntimeOptions): CodexOptions {
  return { home: join(homedir(), ".turnwire", "codex"), ...options };
}

export type CodexConfig = Readonly<Record<string, JsonValue>>;

const standard: CodexConfig = {
  // What Codex would do beside its work: fetch plugins, report on itself. Both delay its end by seconds.
  "features.plugins": false,
  "analytics.enabled": false,
  // Without these the agent has no plan, and asks questions in plan mode only.
  "tools.update_plan.enabled": true,
  "features.default_mode_request_user_input": true,
  suppress_unstable_features_warning: true,
  // A thread without followers is given back at once, so that Codex's own program may continue it.
  thread_unload_delay_secs: 1,
};

/** The settings as arguments of the command line. */
export function configArguments(config: CodexConfig): string[] {
  const settings = Object.entries({ ...standard, ...config });
  return settings.flatMap(([key, value]) => ["-c", `${key}=${tomlValue(value)}`]);
}

/** Codex passes any word on to its model; these are the ones that its own program offers. */
export const codexEfforts: readonly string[] = ["minimal", "low", "medium", "high", "xhigh"];

/** The tools that Codex 0.166.0 gives its models itself: where names meet, its own one is called. */
const ownTools = [
  "apply_patch",
  "close_agent",
  "create_goal",
  "exec",
  "exec_command",
  "get_goal",
  "image_generation",
  "list_agents",
  "list_mcp_resource_templates",
  "list_mcp_resources",
  "local_shell",
  "read_mcp_resource",
  "request_permissions",
  "request_user_input",
  "resume_agent",
  "send_input",
  "send_message",
  "shell",
  "shell_command",
  "spawn_agent",
  "tool_search",
  "update_goal",
  "update_plan",
  "view_image",
  "wait",
  "wait_agent",
  "web_search",
  "write_stdin",
];

export const CodexParams = z.object({
  approval_policy: z.enum(["untrusted", "on-request", "never"]).optional(),
  sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).optional(),
  /** Tools that the user interface runs for the agent. */
  frontend_tools: frontendToolsSchema([...ownTools, ...uiToolNames]).optional(),
});
export type CodexParams = z.infer<typeof CodexParams>;

import type { Capabilities, JsonObject } from "@turnwire/protocol";
import { type AgentIntroduction, capabilitiesFor, capabilitiesFrom } from "../sdk/capabilities.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";

/** What needs the Agent SDK: it reads and copies the transcripts. */
const withoutSdk = {
  fork: false,
  rollback: false,
  rollback_files: false,
  history: false,
} as const;

/** What a run offers before it has reported more itself. */
export function cliCapabilities(options: ClaudeRuntimeOptions): Capabilities {
  return { ...capabilitiesFor(options), ...withoutSdk };
}

/** The same with what a process reported of itself. */
export function cliCapabilitiesFrom(
  introduction: AgentIntroduction,
  options: ClaudeRuntimeOptions,
): Capabilities {
  return { ...capabilitiesFrom(introduction, options), ...withoutSdk };
}

/** A CLI that dialled in was configured by whoever started it. */
export function dialledCapabilities(
  introduction: JsonObject,
  options: ClaudeRuntimeOptions,
): Capabilities {
  // The CLI's own words; a field that is missing is missing there too.
  const { commands = [], models = [] } = introduction as unknown as Partial<AgentIntroduction>;
  return {
    ...cliCapabilitiesFrom({ commands, models }, options),
    resume: false,
    sandbox: false,
    containment: {
      kind: "none",
      problem: "the CLI was started by somebody else, perhaps on another machine.",
    },
    hooks: false,
    // It lists tools before it has named the session that would have them.
    components: false,
    frontend_tools: false,
    shared_state: false,
    // Only where its owner has given it `--include-partial-messages`.
    tool_input_stream: false,
    native_lines: true,
    // The last version that dials in has no such requests.
    context_usage: false,
    reconnect_mcp: false,
    session_options: [],
  };
}

import type { JsonObject } from "@turnwire/protocol";
import { defaultAgentsFor } from "../setting/default-agent.ts";
import { hookEventFrom } from "../setting/hook-event.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { hookEventsOf } from "../sdk/options.ts";
import { toolServerName } from "../setting/tool-server-name.ts";
import type { RunOptions } from "@turnwire/runtime";

/** The hook that asks the session's policy before every use of a tool. */
export const guardHook = "turnwire_guard";
/** The hook that a person decides about. */
export const personHook = "turnwire_person";

const day = 24 * 60 * 60;

/** In every session: a policy may be set while it runs. A CLI takes hooks with its first `initialize` only. */
export const guardHooks: JsonObject = {
  PreToolUse: [{ hookCallbackIds: [guardHook], timeout: 20 * day, onFailure: "block" }],
};

/** The first request to a CLI that we have started ourselves. */
export function initializeRequest(
  options: ClaudeRuntimeOptions,
  run: RunOptions,
): { subtype: string } & JsonObject {
  const { systemPrompt } = run;
  const asked = hookEventsOf(options, run).map((name) => [
    hookEventFrom(name),
    [{ hookCallbackIds: [personHook], timeout: day }],
  ]);
  return {
    subtype: "initialize",
    hooks: { ...Object.fromEntries(asked), ...guardHooks },
    ...(systemPrompt?.mode === "replace" && { systemPrompt: [systemPrompt.text] }),
    ...(systemPrompt?.mode === "append" && { appendSystemPrompt: systemPrompt.text }),
    sdkMcpServers: [toolServerName],
    agents: defaultAgentsFor(run),
    forwardSubagentText: true,
  };
}

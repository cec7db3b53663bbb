import { draft } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "../message.ts";
import { type ClaudeState, placeOf, type Step } from "./state.ts";

/** The agent shows a component, or changes one. */
export function showComponent(
  state: ClaudeState,
  message: ClaudeMessageOf<"turnwire/component">,
): Step {
  const { type: _, ...component } = message;
  return [
    state,
    [draft("component_update", component, placeOf(userOf(state, message.tool_use_id)))],
  ];
}

export function removeComponent(
  state: ClaudeState,
  { component_id, tool_use_id }: ClaudeMessageOf<"turnwire/component_removed">,
): Step {
  const place = placeOf(userOf(state, tool_use_id));
  return [state, [draft("component_remove", { component_id }, place)]];
}

/** The sub-agent that uses the tool. */
export function userOf(state: ClaudeState, toolUseId: string | undefined): string | undefined {
  return toolUseId === undefined ? undefined : state.tools.get(toolUseId)?.speaker;
}

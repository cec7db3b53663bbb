import type { ClaudeMessageOf } from "./message.ts";
import { type ClaudeState, placeOf, type Step } from "./state.ts";

/** The agent changes what the UI shows or shares with it. */
export function takeUiEvent(
  state: ClaudeState,
  { event, tool_use_id }: ClaudeMessageOf<"turnwire/ui">,
): Step {
  return [state, [{ ...event, ...placeOf(userOf(state, tool_use_id)) }]];
}

/** The sub-agent that uses the tool. */
export function userOf(state: ClaudeState, toolUseId: string | undefined): string | undefined {
  return toolUseId === undefined ? undefined : state.tools.get(toolUseId)?.speaker;
}

import type {
  ContentBlock,
  EventData,
  SessionEventOf,
  SessionState,
  Usage,
} from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { frameOf, modelOf } from "./line.ts";

/** The CLI prints one at the beginning of each turn. Which tools an agent has is not in the log. */
export function initFrame(state: SessionState, turnId: string): Frame {
  const { cwd = "", permission_mode = "default", capabilities } = state.session;
  return frameOf(state, `init/${turnId}`, {
    type: "system",
    subtype: "init",
    cwd,
    model: modelOf(state),
    permissionMode: permission_mode,
    tools: [],
    mcp_servers: Object.entries(state.mcp).map(([name, status]) => ({ name, status })),
    slash_commands: capabilities.slash_commands.map(({ name }) => name),
    agents: [],
    skills: [],
    plugins: [],
    apiKeySource: "none",
    output_style: "default",
  });
}

/** A person's message, in the form in which the CLI replays its input. */
export function promptFrame(
  state: SessionState,
  {
    message_id,
    content,
  }: {
    readonly message_id: string;
    readonly content: readonly ContentBlock[];
  },
): Frame {
  return frameOf(state, `message/${message_id}`, {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    isReplay: true,
  });
}

export function statusFrame(
  state: SessionState,
  { seq, data }: SessionEventOf<"session_updated">,
): Frame {
  const { permission_mode: permissionMode } = data;
  const line = { type: "system", subtype: "status", status: null, permissionMode };
  return frameOf(state, `event/${seq}`, line);
}

export function resultFrame(state: SessionState, data: EventData<"result">): Frame {
  const { turn_id, subtype, is_error, text = "", duration_ms = 0, total_cost_usd = 0 } = data;
  return frameOf(state, `result/${turn_id}`, {
    type: "result",
    subtype,
    is_error,
    result: text,
    duration_ms,
    duration_api_ms: duration_ms,
    num_turns: 1,
    total_cost_usd,
    usage: usageOf(data.usage),
    permission_denials: [],
  });
}

/** The turn ended without a result: it was stopped, or its agent was lost. */
export function lostResultFrame(state: SessionState, turnId: string): Frame {
  return resultFrame(state, {
    turn_id: turnId,
    subtype: "error_during_execution",
    is_error: true,
  });
}

function usageOf(usage: Usage = {}): object {
  return {
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_tokens ?? 0,
    cache_creation_input_tokens: usage.cache_write_tokens ?? 0,
  };
}

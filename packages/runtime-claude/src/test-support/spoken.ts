/** Messages as the SDK and our run say them, with no more than a test needs. */

export function turnSent(turn_id: string, uuid: string) {
  return { type: "turnwire/turn_sent", turn_id, uuid };
}

export function state(state: "idle" | "running") {
  return { type: "system", subtype: "session_state_changed", state };
}

export function settled(command_uuid: string) {
  return { type: "command_lifecycle", command_uuid, state: "completed" };
}

export function stream(event: object) {
  return { type: "stream_event", uuid: "x1", parent_tool_use_id: null, event };
}

export function assistant(id: string, content: readonly object[], model?: string) {
  return {
    type: "assistant",
    uuid: "x2",
    parent_tool_use_id: null,
    message: { id, role: "assistant", content, ...(model && { model }) },
    timestamp: "2026-11-15T00:00:00.000Z",
  };
}

export interface ToolAnswer {
  readonly content?: string;
  readonly isError?: boolean;
  readonly details?: object;
  readonly timestamp?: string;
}

export function toolResult(id: string, answer: ToolAnswer) {
  const { content = "ok", isError = false, details, timestamp } = answer;
  const block = { type: "tool_result", tool_use_id: id, content, is_error: isError };
  return {
    type: "user",
    parent_tool_use_id: null,
    message: { role: "user", content: [block] },
    ...(details && { tool_use_result: details }),
    ...(timestamp && { timestamp }),
  };
}

export function spawn(id: string, name = "Agent") {
  const input = { prompt: "look", subagent_type: "Explore" };
  return assistant("m-spawn", [{ type: "tool_use", id, name, input }]);
}

export function taskStarted(task_id: string, tool_use_id: string, task_type = "local_agent") {
  return { type: "system", subtype: "task_started", task_id, tool_use_id, task_type };
}

export function taskEnded(task_id: string, status: "completed" | "failed" | "stopped") {
  return { type: "system", subtype: "task_notification", task_id, status, summary: "the report" };
}

/** A good result; `total` is what the process has cost so far. */
export function result(uuid?: string, total = 0) {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "fine",
    total_cost_usd: total,
    ...(uuid && { user_message_uuids: [uuid] }),
  };
}

export function ask(
  request_id: string,
  tool_name: string,
  { toolUseId, agentId }: { toolUseId?: string; agentId?: string } = {},
) {
  return {
    type: "turnwire/ask",
    request_id,
    tool_name,
    input: {},
    ...(toolUseId && { tool_use_id: toolUseId }),
    ...(agentId && { agent_id: agentId }),
  };
}

export function init(more: object = {}) {
  return {
    type: "system",
    subtype: "init",
    session_id: "s1",
    model: "opus",
    permissionMode: "default",
    ...more,
  };
}

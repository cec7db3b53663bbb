import { draft, type EventData, type EventDraft } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "./message.ts";
import {
  andThen,
  type ClaudeState,
  forEach,
  type RunningTask,
  type Step,
  withEntry,
  withoutEntry,
  withoutMember,
} from "./state.ts";
import { finishTool } from "./tool.ts";

type TaskUsage = ClaudeMessageOf<"system/task_progress">["usage"];

/** A task begins: a sub-agent, a command that takes long or stays in the background. */
export function startTask(
  state: ClaudeState,
  message: ClaudeMessageOf<"system/task_started">,
): Step {
  const { task_id, tool_use_id, description, task_type, ambient } = message;
  const isAgent = task_type === "local_agent" && tool_use_id !== undefined;
  const known = isAgent
    ? { ...state, agents: withEntry(state.agents, task_id, tool_use_id) }
    : state;
  // The CLI's own housekeeping is not the agent's work.
  if (ambient === true) return [known, []];
  const task: RunningTask = { turnId: state.turn?.id, toolUseId: tool_use_id };
  const next = { ...known, tasks: withEntry(known.tasks, task_id, task) };
  const data = { task_id, status: "running" as const, ...(description && { description }) };
  return [next, [taskEvent(task, data)]];
}

/** What a running task does right now. */
export function reportTask(
  state: ClaudeState,
  message: ClaudeMessageOf<"system/task_progress">,
): Step {
  const task = state.tasks.get(message.task_id);
  if (!task) return [state, []];
  const summary = message.summary ?? message.description;
  const data = {
    task_id: message.task_id,
    status: "running" as const,
    ...(summary !== undefined && { summary }),
    ...usageFrom(message.usage),
  };
  return [state, [taskEvent(task, data)]];
}

/** A task has changed; its end is reported by its notification, which always follows. */
export function updateTask(
  state: ClaudeState,
  message: ClaudeMessageOf<"system/task_updated">,
): Step {
  const { task_id, patch } = message;
  const task = state.tasks.get(task_id);
  if (!task || patch.description === undefined) return [state, []];
  const data = { task_id, status: "running" as const, description: patch.description };
  return [state, [taskEvent(task, data)]];
}

/** A task is over. */
export function endTask(
  state: ClaudeState,
  message: ClaudeMessageOf<"system/task_notification">,
): Step {
  const { task_id, status, summary = "", usage } = message;
  const task = state.tasks.get(task_id) ?? { turnId: undefined, toolUseId: message.tool_use_id };
  const data = { task_id, status, ...(summary !== "" && { summary }), ...usageFrom(usage) };
  const next = { ...state, tasks: withoutEntry(state.tasks, task_id) };
  return andThen([next, [taskEvent(task, data)]], (after) =>
    endSpawn(after, task.toolUseId, message),
  );
}

/**
 * A sub-agent in the background has answered its spawn long ago, with no more than that it is on
 * its way: its result is this one. That of any other follows, wrapped in words for the model.
 */
function endSpawn(
  state: ClaudeState,
  id: string | undefined,
  { status, summary = "", usage }: ClaudeMessageOf<"system/task_notification">,
): Step {
  const tool = id === undefined ? undefined : state.tools.get(id);
  if (!tool?.isSpawn || id === undefined) return [state, []];
  if (!state.background.has(id)) {
    if (status !== "completed") return [state, []];
    return [{ ...state, tools: withEntry(state.tools, id, { ...tool, report: summary }) }, []];
  }
  const output = status === "stopped" ? "The sub-agent was stopped." : summary;
  const isError = status !== "completed";
  const next = { ...state, background: withoutMember(state.background, id) };
  return finishTool(next, id, { output, isError, durationMs: usage?.duration_ms });
}

/** Nothing will be heard of the tasks any more. */
export function stopTasks(state: ClaudeState, why: string): Step {
  return forEach(state, state.tasks, (next, [task_id, task]) => [
    { ...next, tasks: withoutEntry(next.tasks, task_id) },
    [taskEvent(task, { task_id, status: "stopped", summary: why })],
  ]);
}

/** A task may outlive its turn, so its events name the turn themselves. */
function taskEvent(
  { turnId, toolUseId }: RunningTask,
  data: Omit<EventData<"task">, "tool_use_id">,
): EventDraft {
  const named = { ...data, ...(toolUseId !== undefined && { tool_use_id: toolUseId }) };
  return draft("task", named, turnId === undefined ? {} : { turn_id: turnId });
}

function usageFrom(usage: TaskUsage): { usage?: { context_tokens: number } } {
  const { total_tokens } = usage ?? {};
  return total_tokens === undefined ? {} : { usage: { context_tokens: total_tokens } };
}

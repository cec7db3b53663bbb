import { draft } from "@turnwire/protocol";
import { forEach, refusalText, withEntry, withMember, withoutEntry } from "@turnwire/runtime";
import type { CodexMessageOf } from "../protocol/message.ts";
import { type CodexState, type OpenTool, placeOf, type ItemPlace, type Step } from "./state.ts";
import { outcomeFrom, type ToolOutcome } from "./tool-outcome.ts";
import { type ToolItem, type ToolUse, toolUseFrom } from "./tool-use.ts";

/** A tool begins; one that was announced before does not begin again. */
export function startTool(state: CodexState, item: ToolItem, itemPlace: ItemPlace): Step {
  const use = toolUseFrom(item);
  const { file_path, is_file_read } = use.facts;
  const tool: OpenTool = {
    itemPlace,
    name: use.name,
    facts: {
      ...(file_path !== undefined && { file_path }),
      ...(is_file_read !== undefined && { is_file_read }),
    },
    ...(item.type === "commandExecution" && {
      process: { id: item.processId ?? item.id, command: use.facts.command ?? item.command },
    }),
    ...(item.type === "fileChange" && { changes: item.changes }),
    streamed: "",
    isSpawn: false,
    isTask: false,
  };
  return announce(state, { id: item.id, use, tool });
}

/** A tool use that spawns a sub-agent. */
export function startSpawn(
  state: CodexState,
  { id, name, use }: { id: string; name: string; use: ToolUse },
  itemPlace: ItemPlace,
): Step {
  const tool = { itemPlace, name: use.name, facts: {}, streamed: "", isSpawn: true, isTask: false };
  return announce(state, { id, use, tool, subagentName: name });
}

/** The output of a tool while it works. */
export function takeOutput(state: CodexState, id: string, text: string): Step {
  const tool = state.tools.get(id) ?? state.stopped.get(id);
  if (!tool || text === "") return [state, []];
  const heard = { ...tool, streamed: tool.streamed + text };
  const next = state.tools.has(id)
    ? { ...state, tools: withEntry(state.tools, id, heard) }
    : { ...state, stopped: withEntry(state.stopped, id, heard) };
  const data = { tool_use_id: id, text };
  return [next, [draft("tool_output", data, placeOf(state, tool.itemPlace))]];
}

/** The end of a tool that Codex reports. */
export function completeTool(state: CodexState, item: ToolItem): Step {
  const outcome = outcomeFrom(item, state.refusals.get(item.id));
  const stopped = state.stopped.get(item.id);
  return stopped ? lateOutput(state, item.id, outcome) : finishTool(state, item.id, outcome);
}

/** The policy has decided about a tool use; the words of a refusal become its output. */
export function takeDecision(
  state: CodexState,
  { decision, ...itemPlace }: CodexMessageOf<"turnwire/policy_decision">["params"],
): Step {
  const { tool_use_id: id, verdict } = decision;
  const isRefusal = id !== undefined && verdict === "deny";
  const next = isRefusal
    ? { ...state, refusals: withEntry(state.refusals, id, refusalText(decision)) }
    : state;
  return [next, [draft("policy_decision", decision, placeOf(state, itemPlace))]];
}

/** A tool's one result. */
export function finishTool(state: CodexState, id: string, outcome: ToolOutcome): Step {
  const tool = state.tools.get(id);
  if (!tool) return [state, []];
  const { output, isError, exitCode, durationMs } = outcome;
  const data = {
    tool_use_id: id,
    output,
    is_error: isError,
    ...tool.facts,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
  const place = placeOf(state, tool.itemPlace);
  const result = draft("tool_result", data, place);
  const next = {
    ...state,
    tools: withoutEntry(state.tools, id),
    refusals: withoutEntry(state.refusals, id),
  };
  if (!tool.isTask) return [next, [result]];
  const status = isError ? "failed" : "completed";
  return [next, [result, draft("task", { ...taskOf(id, tool), status }, place)]];
}

/** A turn has ended by itself: commands that still run become tasks, all else will not end any more. */
export function leaveTools(state: CodexState, threadId: string): Step {
  return forEach(state, toolsOf(state, threadId), (next, [id, tool]) => {
    if (tool.isSpawn || tool.isTask) return [next, []];
    if (!tool.process) return stopTool(next, id, "The turn ended before the tool did.");
    const left = { ...next, tools: withEntry(next.tools, id, { ...tool, isTask: true }) };
    const task = draft(
      "task",
      { ...taskOf(id, tool), status: "running" },
      placeOf(next, tool.itemPlace),
    );
    return [left, [task]];
  });
}

/** A turn was stopped, or has failed: so are its tools. */
export function stopTools(state: CodexState, threadId: string, why: string): Step {
  return forEach(state, toolsOf(state, threadId), (next, [id, tool]) => {
    const hasAgent = [...next.subagents.values()].some((subagent) => subagent.id === id);
    if (tool.isTask || (tool.isSpawn && hasAgent)) return [next, []];
    return stopTool(next, id, tool.streamed || why);
  });
}

/** Nothing more will come: every open tool gets its result, the newest first. */
export function closeTools(state: CodexState, why: string): Step {
  return forEach(state, [...state.tools].toReversed(), (next, [id, tool]) => {
    const [after, [result, task]] = finishTool(next, id, lost(tool.streamed || why));
    const stopped = task?.type === "task" && {
      ...task,
      data: { ...task.data, status: "stopped" as const },
    };
    return [after, [...(result ? [result] : []), ...(stopped ? [stopped] : [])]];
  });
}

/** A tool gets its result before Codex reports its end, which may still come. */
function stopTool(state: CodexState, id: string, output: string): Step {
  const tool = state.tools.get(id);
  const [next, events] = finishTool(state, id, lost(output));
  return tool ? [{ ...next, stopped: withEntry(next.stopped, id, tool) }, events] : [next, events];
}

function announce(
  state: CodexState,
  {
    id,
    use,
    tool,
    subagentName,
  }: { id: string; use: ToolUse; tool: OpenTool; subagentName?: string },
): Step {
  if (state.started.has(id) || state.tools.has(id) || state.stopped.has(id)) return [state, []];
  const next = {
    ...state,
    tools: withEntry(state.tools, id, tool),
    started: withMember(state.started, id),
  };
  const data = {
    message_id: id,
    tool_use_id: id,
    tool: use.name,
    input: use.input,
    ...use.facts,
    ...(subagentName !== undefined && { subagent_spawn: true, subagent_name: subagentName }),
  };
  return [next, [draft("tool_start", data, placeOf(state, tool.itemPlace))]];
}

/** The result is spent: what the command still had to say is kept as output. */
function lateOutput(state: CodexState, id: string, { output }: ToolOutcome): Step {
  const { streamed = "" } = state.stopped.get(id) ?? {};
  const whole = typeof output === "string" ? output : "";
  const rest = whole.startsWith(streamed) ? whole.slice(streamed.length) : "";
  const [next, events] = takeOutput(state, id, rest);
  return [{ ...next, stopped: withoutEntry(next.stopped, id) }, events];
}

function toolsOf(state: CodexState, threadId: string): [string, OpenTool][] {
  return [...state.tools].filter(([, { itemPlace }]) => itemPlace.threadId === threadId);
}

function lost(output: string): ToolOutcome {
  return { output, isError: true };
}

function taskOf(id: string, { process }: OpenTool) {
  const { id: taskId = id, command } = process ?? {};
  return {
    task_id: taskId,
    tool_use_id: id,
    ...(command !== undefined && { description: command }),
  };
}

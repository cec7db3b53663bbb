import { defined } from "@turnwire/base";
import { draft, type EventDraft, type JsonValue } from "@turnwire/protocol";
import { fileReadFrom } from "@turnwire/runtime";
import { mcpToolName, patchTool, shellTool, unwrapped } from "../normalize/tool-use.ts";
import type { ExecItem, ExecItemOf } from "./message.ts";
import type { ExecState } from "./state.ts";

type Step = readonly [ExecState, readonly EventDraft[]];
type ToolItem = ExecItemOf<"command_execution" | "file_change" | "mcp_tool_call" | "web_search">;

/** An item has begun, or has changed on its way. */
export function startedItem(state: ExecState, item: ExecItem): Step {
  switch (item.type) {
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "web_search":
      return startTool(state, item);
    case "todo_list":
      return [state, [planFrom(item)]];
    case "agent_message":
    case "reasoning":
    case "error":
      // They come whole, at their end.
      return [state, []];
  }
}

export function completedItem(state: ExecState, item: ExecItem): Step {
  const message_id = placedId(state, item);
  switch (item.type) {
    case "agent_message": {
      const { text } = item;
      const message = { role: "assistant" as const, content: [{ type: "text", text }] };
      const whole = draft("message_complete", { message_id, message });
      return [{ ...state, lastText: text }, [draft("delta", { message_id, text }), whole]];
    }
    case "reasoning": {
      const content = [{ type: "thinking", thinking: item.text }];
      const message = { role: "assistant" as const, content };
      const thought = draft("thinking", { message_id, text: item.text, done: true });
      return [state, [thought, draft("message_complete", { message_id, message })]];
    }
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "web_search":
      return endTool(state, item);
    case "todo_list":
      return [state, [planFrom(item)]];
    case "error":
      return [state, [draft("notice", { level: "warning", text: item.message })]];
  }
}

function startTool(state: ExecState, item: ToolItem): Step {
  const tool_use_id = placedId(state, item);
  if (state.openTools.includes(tool_use_id)) return [state, []];
  const started = draft("tool_start", { message_id: tool_use_id, tool_use_id, ...toolOf(item) });
  return [{ ...state, openTools: [...state.openTools, tool_use_id] }, [started]];
}

function endTool(state: ExecState, item: ToolItem): Step {
  const tool_use_id = placedId(state, item);
  const [begun, started] = startTool(state, item);
  const openTools = begun.openTools.filter((id) => id !== tool_use_id);
  const is_error = item.type !== "web_search" && item.status !== "completed";
  const { file_path, is_file_read } = toolOf(item);
  const facts = defined({ file_path, is_file_read });
  const result = draft("tool_result", { tool_use_id, is_error, ...facts, ...resultOf(item) });
  return [{ ...begun, openTools }, [...started, result]];
}

interface ToolUse {
  readonly tool: string;
  readonly input: JsonValue;
  readonly command?: string;
  readonly file_path?: string;
  readonly pattern?: string;
  readonly search_path?: string;
  readonly is_file_read?: boolean;
}

function toolOf(item: ToolItem): ToolUse {
  switch (item.type) {
    case "command_execution": {
      const command = unwrapped(item.command);
      return { tool: shellTool, input: { command }, command, ...fileReadFrom(command) };
    }
    case "file_change": {
      const [first] = item.changes;
      const use = { tool: patchTool, input: { changes: item.changes } };
      return first ? { ...use, file_path: first.path } : use;
    }
    case "mcp_tool_call":
      return { tool: mcpToolName(item.server, item.tool), input: item.arguments ?? {} };
    case "web_search":
      return { tool: "web_search", input: { query: item.query } };
  }
}

function resultOf(item: ToolItem): { output: JsonValue; exit_code?: number | null } {
  switch (item.type) {
    case "command_execution":
      return { output: item.aggregated_output, exit_code: item.exit_code ?? null };
    case "file_change":
      return { output: item.changes.map(({ path, kind }) => `${kind} ${path}`).join("\n") };
    case "mcp_tool_call":
      return { output: item.error?.message ?? item.result ?? null };
    case "web_search":
      return { output: "" };
  }
}

function planFrom({ items }: ExecItemOf<"todo_list">): EventDraft {
  const steps = items.map(({ text, completed }) => ({
    text,
    status: completed ? ("completed" as const) : ("pending" as const),
  }));
  return draft("plan", { steps });
}

/** Codex counts items from zero in every process, so the turn belongs to their name. */
function placedId({ threadId, turnId }: ExecState, { id }: ExecItem): string {
  return `${threadId}:${turnId ?? ""}:${id}`;
}

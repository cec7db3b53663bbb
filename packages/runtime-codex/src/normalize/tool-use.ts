import { defined } from "@turnwire/base";
import type { JsonObject, JsonValue, UiTool } from "@turnwire/protocol";
import { fileReadFrom } from "@turnwire/runtime";
import type { FileChange, Item, ItemOf } from "../protocol/item.ts";
import { uiToolFrom } from "../protocol/ui-namespace.ts";

/** The items that are the use of a tool. */
export type ToolItem = Exclude<
  Item,
  ItemOf<
    | "userMessage"
    | "agentMessage"
    | "plan"
    | "reasoning"
    | "enteredReviewMode"
    | "exitedReviewMode"
    | "contextCompaction"
    | "subAgentActivity"
  >
>;

/** The name of a tool use, and its subject. */
export interface ToolUse {
  readonly name: string;
  readonly input: JsonValue;
  readonly facts: ToolFacts;
}

interface ToolFacts {
  readonly ui_tool?: UiTool;
  readonly command?: string;
  readonly file_path?: string;
  readonly pattern?: string;
  readonly search_path?: string;
  readonly is_file_read?: boolean;
}

export const shellTool = "shell";
export const patchTool = "apply_patch";

/** A tool of an MCP server, by the name that other agents give it too. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

export function toolUseFrom(item: ToolItem): ToolUse {
  switch (item.type) {
    case "commandExecution": {
      const command = unwrapped(item.command);
      const cwd = item.cwd ?? undefined;
      const input = { command, ...defined({ cwd }) };
      return { name: shellTool, input, facts: { command, ...fileReadFrom(command, cwd) } };
    }
    case "fileChange": {
      const [first] = item.changes;
      const facts = first ? { file_path: first.path } : {};
      return { name: patchTool, input: { changes: changesFrom(item.changes) }, facts };
    }
    case "mcpToolCall":
      return named(mcpToolName(item.server, item.tool), item.arguments);
    case "dynamicToolCall": {
      const name = item.namespace ? `${item.namespace}.${item.tool}` : item.tool;
      const facts = uiToolFrom(item.namespace, item.tool);
      return { ...named(name, item.arguments), facts };
    }
    case "collabAgentToolCall":
      return named(agentTools.get(item.tool) ?? item.tool, {
        ...(typeof item.prompt === "string" && { prompt: item.prompt }),
        ...(item.receiverThreadIds.length > 0 && { agents: item.receiverThreadIds }),
      });
    case "webSearch":
      return named("web_search", { query: item.query });
    case "imageView":
      return {
        name: "view_image",
        input: { path: item.path },
        facts: { file_path: item.path, is_file_read: true },
      };
    case "imageGeneration":
      return named("image_generation", item.revisedPrompt ? { prompt: item.revisedPrompt } : {});
    case "sleep":
      return named("sleep", { duration_ms: item.durationMs ?? 0 });
  }
}

/** The changes as they stand in an input. */
export function changesFrom(changes: readonly FileChange[]): JsonObject[] {
  return changes.map(({ path, kind, diff }) => ({
    path,
    kind: kind.type,
    diff,
    ...(typeof kind.move_path === "string" && { move_path: kind.move_path }),
  }));
}

const agentTools = new Map([
  ["spawnAgent", "spawn_agent"],
  ["sendInput", "send_input"],
  ["resumeAgent", "resume_agent"],
  ["wait", "wait_agent"],
  ["closeAgent", "close_agent"],
  ["sendMessage", "send_message"],
  ["followupTask", "followup_task"],
  ["interruptAgent", "interrupt_agent"],
  ["listAgents", "list_agents"],
]);

function named(name: string, input: JsonValue | undefined): ToolUse {
  return { name, input: input ?? {}, facts: {} };
}

/** The command without the shell that Codex runs it in. */
export function unwrapped(command: string): string {
  const [, script] = /^\S*sh -l?c (.+)$/s.exec(command) ?? [];
  if (script === undefined) return command;
  const [, single] = /^'((?:[^']|'\\'')*)'$/s.exec(script) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'");
  const [, double] = /^"((?:[^"\\$`]|\\.)*)"$/s.exec(script) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, "$1");
  return /[\s'"]/.test(script) ? command : script;
}

import { isObject } from "@turnwire/base";
import type { EventData, JsonValue, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { assistantLine, frameOf } from "./line.ts";

/** The tool that starts a sub-agent; clients know its children by it. */
export const SUBAGENT_TOOL = "Task";
/** What the CLI has called it so far. */
const subagentTools: ReadonlySet<string> = new Set([SUBAGENT_TOOL, "Agent"]);

/** A tool use in this wire's words: whatever another agent starts a sub-agent with is the one tool for it. */
export function toolUseOf(data: EventData<"tool_start">): {
  readonly name: string;
  readonly input: JsonValue;
} {
  const { tool: name, input = {}, subagent_spawn, subagent_name: description = name } = data;
  if (subagent_spawn !== true || subagentTools.has(name)) return { name, input };
  return {
    name: SUBAGENT_TOOL,
    input: isObject(input) ? { ...input, description } : { description },
  };
}

export function toolUseFrame(
  state: SessionState,
  {
    messageId,
    parentId,
    id,
    name,
    input,
  }: {
    readonly messageId: string;
    readonly parentId: string | undefined;
    readonly id: string;
    readonly name: string;
    readonly input: JsonValue;
  },
): Frame {
  const block = { type: "tool_use", id, name, input };
  return frameOf(state, `tool_use/${id}`, assistantLine(state, { messageId, parentId, block }));
}

export function toolResultFrame(
  state: SessionState,
  parentId: string | undefined,
  {
    tool_use_id,
    output,
    is_error,
  }: {
    readonly tool_use_id: string;
    readonly output: JsonValue;
    readonly is_error: boolean;
  },
): Frame {
  const block = { type: "tool_result", tool_use_id, content: contentOf(output), is_error };
  return frameOf(state, `tool_result/${tool_use_id}`, {
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: parentId ?? null,
    tool_use_result: output,
  });
}

/** The Messages API takes a text or blocks; any other value is shown as JSON. */
function contentOf(output: JsonValue): JsonValue {
  if (typeof output === "string") return output;
  const isBlocks =
    Array.isArray(output) &&
    output.every(
      (part) => typeof part === "object" && part !== null && !Array.isArray(part) && "type" in part,
    );
  return isBlocks ? output : JSON.stringify(output);
}

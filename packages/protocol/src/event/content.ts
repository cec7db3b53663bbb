import * as z from "zod";
import { JsonObject, JsonValue } from "../json.ts";

/** A finished assistant message as the runtime gave it; its blocks are the runtime's own. */
const CompleteMessage = z.object({
  role: z.literal("assistant"),
  content: z.array(JsonObject),
  model: z.string().optional(),
  stop_reason: z.string().nullable().optional(),
});

export const contentEventData = {
  delta: z.object({ message_id: z.string(), text: z.string() }),
  thinking: z.object({ message_id: z.string(), text: z.string(), done: z.boolean().optional() }),
  message_complete: z.object({
    message_id: z.string(),
    message: CompleteMessage,
    /** The answer broke off and is asked for again: what was delivered of it does not count. */
    retracted: z.boolean().optional(),
  }),
};

export const toolEventData = {
  tool_input_delta: z.object({
    /** The message that the tool use will stand in, where the runtime knows it already. */
    message_id: z.string().optional(),
    tool_use_id: z.string(),
    tool: z.string(),
    partial_json: z.string(),
  }),
  tool_start: z.object({
    message_id: z.string(),
    tool_use_id: z.string(),
    tool: z.string(),
    input: JsonValue.optional(),
    command: z.string().optional(),
    file_path: z.string().optional(),
    pattern: z.string().optional(),
    search_path: z.string().optional(),
    is_file_read: z.boolean().optional(),
    subagent_spawn: z.boolean().optional(),
    subagent_name: z.string().optional(),
  }),
  tool_output: z.object({ tool_use_id: z.string(), text: z.string() }),
  tool_result: z.object({
    tool_use_id: z.string(),
    output: JsonValue,
    is_error: z.boolean(),
    exit_code: z.int().nullable().optional(),
    file_path: z.string().optional(),
    is_file_read: z.boolean().optional(),
    duration_ms: z.number().optional(),
  }),
};

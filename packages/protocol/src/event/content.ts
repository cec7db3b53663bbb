import * as z from "zod";
import { JsonObject, JsonValue } from "../json/json.ts";
import { UiTool } from "../part/ui-tool.ts";

const CompleteMessage = z
  .object({
    role: z.literal("assistant").describe("Always `assistant`."),
    content: z
      .array(JsonObject)
      .describe(
        "The message's parts as the runtime gave them. Only `{type: \"text\", text}` is defined here; other parts are the runtime's own.",
      ),
    model: z.string().optional().describe("The model that wrote it."),
    stop_reason: z
      .string()
      .nullable()
      .optional()
      .describe("Why the model stopped, in the provider's words."),
  })
  .describe("A finished assistant message as the runtime gave it.");

const messageId = z.string().describe("The id of the agent's message.");
const toolUseId = z.string().describe("The id of the tool use.");
const uiTool = UiTool.optional().describe(
  "Present when the tool is one of Turnwire's own that show components or share state: which one. A UI shows what it does, not the tool use.",
);

export const contentEventData = {
  delta: z
    .object({ message_id: messageId, text: z.string().describe("Text to append to the message.") })
    .describe("A piece of the agent's text."),
  thinking: z
    .object({
      message_id: messageId,
      text: z.string().describe("Text to append to the thought; may be empty."),
      done: z.boolean().optional().describe("True when the thought is complete."),
    })
    .describe("A piece of the agent's reasoning."),
  message_complete: z
    .object({
      message_id: messageId,
      message: CompleteMessage,
      retracted: z
        .boolean()
        .optional()
        .describe(
          "True when the answer broke off and is requested again: discard the text and thinking delivered under this `message_id`.",
        ),
    })
    .describe("An agent's message is complete. It contains the whole text, deltas included."),
};

export const toolEventData = {
  tool_input_delta: z
    .object({
      message_id: z
        .string()
        .optional()
        .describe("The message that the tool use belongs to, where the runtime knows it already."),
      tool_use_id: toolUseId,
      tool: z.string().describe("The tool's name."),
      ui_tool: uiTool,
      partial_json: z.string().describe("Text to append to the input's JSON text."),
    })
    .describe("A piece of a tool's input while the model writes it."),
  tool_start: z
    .object({
      message_id: messageId,
      tool_use_id: toolUseId,
      tool: z.string().describe("The tool's name."),
      ui_tool: uiTool,
      input: JsonValue.optional().describe("The complete input."),
      command: z.string().optional().describe("The shell command, for a tool that runs one."),
      file_path: z.string().optional().describe("The file, for a tool that reads or changes one."),
      pattern: z.string().optional().describe("What is searched for, for a tool that searches."),
      search_path: z.string().optional().describe("Where it is searched for."),
      is_file_read: z.boolean().optional().describe("True when the tool only reads `file_path`."),
      subagent_spawn: z
        .boolean()
        .optional()
        .describe(
          "True when the tool starts a sub-agent, whose events carry this `tool_use_id` as `subagent_id`.",
        ),
      subagent_name: z.string().optional().describe("The sub-agent's name."),
    })
    .describe("The agent uses a tool."),
  tool_output: z
    .object({ tool_use_id: toolUseId, text: z.string().describe("Text to append to the output.") })
    .describe("A piece of a tool's output while the tool runs."),
  tool_result: z
    .object({
      tool_use_id: toolUseId,
      output: JsonValue.describe("The complete output; replaces what `tool_output` streamed."),
      is_error: z.boolean().describe("Whether the tool failed."),
      exit_code: z.int().nullable().optional().describe("The exit code of a command."),
      file_path: z.string().optional().describe("The file that was read or changed."),
      is_file_read: z.boolean().optional().describe("True when the file was only read."),
      duration_ms: z.number().optional().describe("How long the tool ran, in milliseconds."),
      diff: z
        .string()
        .optional()
        .describe("What the tool changed, as a unified diff with the file's line numbers."),
    })
    .describe("A tool ended. Every tool use has at most one."),
};

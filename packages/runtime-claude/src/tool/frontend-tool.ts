import type { FrontendToolDeclaration } from "@turnwire/protocol";
import { type ServedTool, textOf } from "@turnwire/runtime/ui-tool";
import type { ClaudeToolCall } from "./tool-server.ts";

/** The tool as the agent sees it: a call waits for the UI. */
export function servedFromFrontend(tool: FrontendToolDeclaration): ServedTool<ClaudeToolCall> {
  const { name, description, input_schema: inputSchema } = tool;
  return {
    name,
    description,
    inputSchema,
    async call(input, { requests, id, toolUseId, signal }) {
      const answer = await requests.ask(
        { type: "turnwire/call_ask", request_id: id, tool_name: name, input, ...toolUseId },
        signal,
      );
      return answer?.type === "tool_call_response"
        ? { text: textOf(answer.output), isError: answer.is_error === true }
        : { text: "The user interface did not answer.", isError: true };
    },
  };
}

import { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { textOf, type ServedTool } from "./served-tool.ts";
import { uiTools } from "./ui-tool.ts";

/** A tool that a session declares and its UI performs. */
const FrontendTool = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "small letters, digits and _, a letter first"),
  description: z.string(),
  input_schema: JsonObject.refine(({ type }) => type === "object", "a JSON Schema of an object"),
});
type FrontendTool = z.infer<typeof FrontendTool>;

/** What a session may declare: each name once, and none of our own tools'. */
export const FrontendTools = z.array(FrontendTool).superRefine((tools, context) => {
  const taken = new Set(uiTools.map(({ name }) => name));
  for (const { name } of tools) {
    if (taken.has(name)) context.addIssue(`There is already a tool ${name}`);
    taken.add(name);
  }
});

/** The tool as the agent sees it: a call waits for the UI. */
export function servedFromFrontend(tool: FrontendTool): ServedTool {
  const { name, description, input_schema: inputSchema } = tool;
  return {
    name,
    description,
    inputSchema,
    async call(input, { asks, id, toolUseId, signal }) {
      const answer = await asks.ask(
        { type: "turnwire/call_ask", request_id: id, tool_name: name, input, ...toolUseId },
        signal,
      );
      return answer?.type === "tool_call_response"
        ? { text: textOf(answer.output), isError: answer.is_error === true }
        : { text: "The user interface did not answer.", isError: true };
    },
  };
}

import { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import type { PendingRequests } from "../tool/pending-requests.ts";
import type { ToolGuard } from "../tool/tool-guard.ts";
import { toolServerName } from "../setting/tool-server-name.ts";
import { RuntimeError } from "@turnwire/runtime";
import type { AgentRequest } from "./control-channel.ts";
import { guardHook } from "./initialize.ts";
import type { ToolMessages } from "./tool-messages.ts";

export interface AnswerParts {
  readonly guard: ToolGuard;
  readonly requests: PendingRequests;
  /** The tools that we serve; none where the CLI was offered none. */
  readonly tools?: ToolMessages;
}

const text = z.string().optional();

const CanUseTool = z
  .object({
    subtype: z.literal("can_use_tool"),
    tool_name: z.string(),
    input: JsonObject,
    tool_use_id: text,
    agent_id: text,
    permission_suggestions: z.array(JsonObject).optional(),
    mcp_server: z.object({ name: z.string(), source: z.string() }).optional(),
  })
  .catchall(JsonValue)
  .transform(
    ({
      subtype: _,
      tool_name: tool,
      input,
      tool_use_id: toolUseID,
      agent_id: agentID,
      permission_suggestions: suggestions,
      mcp_server: mcpServer,
      ...context
    }) => ({ tool, input, toolUseID, agentID, suggestions, mcpServer, context }),
  );
const HookCallback = z.object({
  subtype: z.literal("hook_callback"),
  callback_id: z.string(),
  input: JsonObject,
  tool_use_id: text,
});
const McpMessage = z.object({
  subtype: z.literal("mcp_message"),
  server_name: z.literal(toolServerName),
  message: JsonObject,
});

const Elicitation = z
  .object({
    subtype: z.literal("elicitation"),
    mcp_server_name: z.string(),
    message: text,
    url: text,
    requested_schema: JsonObject.optional(),
  })
  .transform(({ mcp_server_name: serverName, requested_schema: requestedSchema, ...rest }) => ({
    serverName,
    requestedSchema,
    ...rest,
  }));

type CanUseToolOptions = Parameters<ToolGuard["canUseTool"]>[2];
type HookInput = Parameters<ToolGuard["preToolUse"]>[0];

/** Answers what the CLI asks: whether a tool may be used, what a hook decides, what a tool of ours returns. */
export async function answerAgent(
  { id, body, signal }: AgentRequest,
  parts: AnswerParts,
): Promise<JsonObject> {
  switch (body["subtype"]) {
    case "can_use_tool": {
      const { tool, input, context, toolUseID = id, ...known } = CanUseTool.parse(body);
      const options = { ...camelCased(context), ...known, toolUseID, requestId: id, signal };
      // They are the CLI's own words for what the SDK passes on.
      const result = await parts.guard.canUseTool(tool, input, options as CanUseToolOptions);
      return plain(result ?? {});
    }
    case "hook_callback": {
      const { callback_id, input, tool_use_id } = HookCallback.parse(body);
      const hook = callback_id === guardHook ? parts.guard.preToolUse : parts.requests.hook;
      // A hook's input comes from the CLI in both cases; who reads it checks what it needs.
      return plain(await hook(input as unknown as HookInput, tool_use_id, { signal }));
    }
    case "mcp_message": {
      const { message } = McpMessage.parse(body);
      if (!parts.tools) break;
      return { mcp_response: await parts.tools.answer(message, signal) };
    }
    case "elicitation": {
      const asked = Elicitation.parse(body);
      return plain(await parts.requests.elicit(asked, signal));
    }
    default:
  }
  throw new RuntimeError("protocol", `Unsupported request: ${JSON.stringify(body["subtype"])}.`);
}

/** `blocked_path` as `blockedPath`. */
function camelCased(context: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(context).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** The SDK's types allow undefined, which JSON cannot carry. */
function plain(value: object): JsonObject {
  return JsonObject.parse(JSON.parse(JSON.stringify(value)));
}

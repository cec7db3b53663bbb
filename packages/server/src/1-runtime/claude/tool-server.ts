import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { PendingRequests } from "./pending-requests.ts";
import type { RunMessage } from "./run-message.ts";
import type { ClaudeSdk } from "./sdk.ts";
import type { ServedTool } from "./served-tool.ts";
import { uiTools } from "./ui-tool.ts";

/** The name that the agent's tools carry: `mcp__turnwire__render_component`. */
export const toolServerName = "turnwire";

export interface ToolServerOptions {
  readonly sdk: Pick<ClaudeSdk, "createSdkMcpServer">;
  readonly requests: PendingRequests;
  readonly emit: (message: RunMessage) => void;
  /** What the session adds to the tools of every session. */
  readonly tools?: readonly ServedTool[];
}

const ListTools = z.object({ method: z.literal("tools/list") });
const CallTool = z.object({
  method: z.literal("tools/call"),
  params: z.object({
    name: z.string(),
    arguments: JsonObject.default({}),
    _meta: z.object({ "claudecode/toolUseId": z.string().optional() }).optional(),
  }),
});

/**
 * An MCP server in this process. It speaks MCP itself: the SDK's own `tool()` takes zod schemas only,
 * and sessions declare theirs as JSON Schema.
 */
export function createToolServer(options: ToolServerOptions): McpSdkServerConfigWithInstance {
  const { sdk, requests, emit, tools = [] } = options;
  const served = new Map([...uiTools, ...tools].map((tool) => [tool.name, tool]));
  const config = sdk.createSdkMcpServer({ name: toolServerName });
  const { server } = config.instance;
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListTools, () => ({ tools: Array.from(served.values(), listed) }));
  server.setRequestHandler(CallTool, async ({ params }, { signal }) => {
    const tool = served.get(params.name);
    if (!tool) return result({ text: `There is no tool ${params.name}.`, isError: true });
    const used = params._meta?.["claudecode/toolUseId"];
    const toolUseId = used === undefined ? {} : { tool_use_id: used };
    const call = { id: randomUUID(), toolUseId, signal, requests, emit };
    return result(await tool.call(params.arguments, call));
  });
  return config;
}

/** Without the mark the CLI would hide a tool behind its search. */
function listed({ name, description, inputSchema }: ServedTool) {
  const schema = { ...inputSchema, type: "object" as const };
  return { name, description, inputSchema: schema, _meta: { "anthropic/alwaysLoad": true } };
}

function result({ text, isError = false }: { text: string; isError?: boolean }) {
  return { content: [{ type: "text" as const, text }], isError };
}

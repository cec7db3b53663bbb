import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import type { ClaudeSdk } from "../setting/sdk.ts";
import { CallTool, ListTools, ToolServer, type ToolServerOptions } from "./tool-server.ts";
import { toolServerName } from "../setting/tool-server-name.ts";

export interface SdkToolServerOptions extends ToolServerOptions {
  readonly sdk: Pick<ClaudeSdk, "createSdkMcpServer">;
}

/**
 * An MCP server in this process. It speaks MCP itself: the SDK's own `tool()` takes zod schemas only,
 * and sessions declare theirs as JSON Schema.
 */
export function createSdkToolServer({
  sdk,
  ...options
}: SdkToolServerOptions): McpSdkServerConfigWithInstance {
  const config = sdk.createSdkMcpServer({ name: toolServerName });
  const { server } = config.instance;
  const desk = new ToolServer(options);
  server.registerCapabilities({ tools: { listChanged: true } });
  server.setRequestHandler(ListTools, () => desk.list());
  server.setRequestHandler(CallTool, (request, { signal }) => desk.call(request, signal));
  return config;
}

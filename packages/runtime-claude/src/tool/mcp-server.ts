import type { McpServerConfig } from "@anthropic-ai/claude-agent-sdk";
import { systemClock } from "@turnwire/base";
import type { McpServer } from "@turnwire/protocol";
import type { RunConfiguration } from "@turnwire/runtime";
import { toolServerName } from "../setting/tool-server-name.ts";

/** How long a start waits for MCP servers; the CLI continues to connect to slower ones. */
const connectMs = 15_000;

/**
 * Gives the CLI the session's MCP servers. By its stdin, because the SDK's option puts them on the command line,
 * where every user of the machine can read their secrets. `toolServer` is ours, which the call would remove.
 */
export async function addMcpServers<ToolServer>(
  query: {
    setMcpServers(servers: Record<string, ExternalServer | ToolServer>): Promise<unknown>;
  },
  servers: NonNullable<RunConfiguration["mcpServers"]>,
  toolServer?: ToolServer,
): Promise<void> {
  const own = Object.entries(servers).map(([name, server]) => [name, mcpServerFrom(server)]);
  const ours = toolServer === undefined ? {} : { [toolServerName]: toolServer };
  const added = query.setMcpServers({ ...Object.fromEntries(own), ...ours });
  const stop = new AbortController();
  // What does not connect is reported as `mcp_status`; the error's text may have secrets in it.
  await Promise.race([added.catch(() => undefined), systemClock.wait(connectMs, stop.signal)]);
  stop.abort();
}

export type ExternalServer = Extract<McpServerConfig, { type?: "stdio" } | { type: "http" }>;

function mcpServerFrom(server: McpServer): ExternalServer {
  if (server.type === "http") {
    const { type, url, headers } = server;
    return { type, url, ...(headers && { headers }) };
  }
  const { type, command, args, env } = server;
  return { type, command, ...(args && { args }), ...(env && { env }) };
}

import type { JsonObject } from "@turnwire/protocol";
import type { AgentQuery } from "../sdk/agent.ts";
import type { ExternalServer } from "../tool/mcp-server.ts";
import type { ControlChannel } from "./control-channel.ts";

type Settings = Parameters<AgentQuery["applyFlagSettings"]>[0];
type Introduction = Awaited<ReturnType<AgentQuery["initializationResult"]>>;
type Receipt = Awaited<ReturnType<AgentQuery["interrupt"]>>;
type ContextUsage = Awaited<ReturnType<AgentQuery["getContextUsage"]>>;
type McpServers = Awaited<ReturnType<AgentQuery["mcpServerStatus"]>>;
type Rewind = Awaited<ReturnType<AgentQuery["rewindFiles"]>>;

/**
 * What the SDK offers of a CLI, in requests of our own. The answers are in the words of the SDK, which passes
 * them on as they are.
 */
export class CliQuery implements AgentQuery {
  readonly #channel: ControlChannel;
  readonly #messages: AsyncIterable<unknown>;
  readonly #introduction: Promise<JsonObject>;

  constructor(
    channel: ControlChannel,
    messages: AsyncIterable<unknown>,
    introduction: Promise<JsonObject>,
  ) {
    this.#channel = channel;
    this.#messages = messages;
    this.#introduction = introduction;
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return this.#messages[Symbol.asyncIterator]();
  }

  async initializationResult(): Promise<Introduction> {
    return (await this.#introduction) as unknown as Introduction;
  }

  async interrupt(): Promise<Receipt> {
    return (await this.#channel.request({ subtype: "interrupt" })) as unknown as Receipt;
  }

  async setModel(model?: string): Promise<void> {
    await this.#channel.request({ subtype: "set_model", ...(model !== undefined && { model }) });
  }

  async setPermissionMode(mode: string): Promise<void> {
    await this.#channel.request({ subtype: "set_permission_mode", mode });
  }

  async applyFlagSettings(settings: Settings): Promise<void> {
    await this.#channel.request({
      subtype: "apply_flag_settings",
      settings: settings as JsonObject,
    });
  }

  async stopTask(taskId: string): Promise<void> {
    await this.#channel.request({ subtype: "stop_task", task_id: taskId });
  }

  async getContextUsage(options?: { detail?: "summary" | "full" }): Promise<ContextUsage> {
    const { detail = "full" } = options ?? {};
    const body = { subtype: "get_context_usage", detail };
    return (await this.#channel.request(body)) as unknown as ContextUsage;
  }

  async mcpServerStatus(): Promise<McpServers> {
    const { mcpServers } = await this.#channel.request({ subtype: "mcp_status" });
    return mcpServers as unknown as McpServers;
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.#channel.request({ subtype: "mcp_reconnect", serverName });
  }

  async setMcpServers(
    servers: Record<string, ExternalServer | { type: "sdk"; name: string }>,
  ): Promise<void> {
    await this.#channel.request({ subtype: "mcp_set_servers", servers });
  }

  async rewindFiles(messageId: string, options?: { dryRun?: boolean }): Promise<Rewind> {
    const { dryRun = false } = options ?? {};
    const body = { subtype: "rewind_files", user_message_id: messageId, dry_run: dryRun };
    return (await this.#channel.request(body)) as unknown as Rewind;
  }
}

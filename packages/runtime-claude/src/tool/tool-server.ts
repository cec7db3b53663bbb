import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  type ServedTool,
  type ToolAnswer,
  type ToolCall,
  type UiNews,
  uiTools,
} from "@turnwire/runtime/ui-tool";
import type { PendingRequests } from "./pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";

/** A use of one of our tools by Claude. */
export interface ClaudeToolCall extends ToolCall {
  readonly requests: PendingRequests;
}

export interface ToolServerOptions {
  readonly requests: PendingRequests;
  readonly emit: (message: RunMessage) => void;
  /** Resolves when the session has taken all that was emitted until now. */
  readonly taken: () => Promise<void>;
  /** The UI of the session that the process is for; of none yet where it is started ahead. */
  readonly news: () => UiNews;
  /** Whether the conversation begins with this process: the CLI gives its model the tools of that moment, also after a resume (2.1.325). */
  readonly isFresh: boolean;
  /** What the session adds to the tools of every session. */
  readonly tools?: readonly ServedTool<ClaudeToolCall>[];
}

export const ListTools = z.object({ method: z.literal("tools/list") });
export const CallTool = z.object({
  method: z.literal("tools/call"),
  params: z.object({
    name: z.string(),
    arguments: JsonObject.default({}),
    _meta: z.object({ "claudecode/toolUseId": z.string().optional() }).optional(),
  }),
});

/** Answers what a CLI asks of our tools in the words of MCP, whoever carries the messages: the SDK, or we ourselves. */
export class ToolServer {
  readonly #options: ToolServerOptions;

  constructor(options: ToolServerOptions) {
    this.#options = options;
  }

  list() {
    const { news, isFresh } = this.#options;
    if (isFresh) news().markCatalogSent();
    return { tools: this.#served().map(listed) };
  }

  /** The signal is aborted when the agent no longer waits for the answer. */
  async call({ params }: z.infer<typeof CallTool>, signal: AbortSignal) {
    const tool = this.#served().find(({ name }) => name === params.name);
    if (!tool) return result({ text: `There is no tool ${params.name}.`, isError: true });
    const toolUseId = params._meta?.["claudecode/toolUseId"];
    return result(await tool.call(params.arguments, callFrom(this.#options, toolUseId, signal)));
  }

  #served(): ServedTool<ClaudeToolCall>[] {
    const { news, tools = [] } = this.#options;
    return [...uiTools(news().ui.catalog()), ...tools];
  }
}

function callFrom(
  { requests, emit, taken, news }: ToolServerOptions,
  used: string | undefined,
  signal: AbortSignal,
): ClaudeToolCall {
  const toolUseId = used === undefined ? {} : { tool_use_id: used };
  return {
    id: randomUUID(),
    toolUseId,
    signal,
    requests,
    news: news(),
    emit: (event) => {
      emit({ type: "turnwire/ui", event, ...toolUseId });
      return taken();
    },
    askInComponent: (question) =>
      requests.ask({ type: "turnwire/interrupt_ask", ...question }, signal),
  };
}

/** Without the mark the CLI would hide a tool behind its search. */
function listed({ name, description, inputSchema }: ServedTool<ClaudeToolCall>) {
  const schema = { ...inputSchema, type: "object" as const };
  return { name, description, inputSchema: schema, _meta: { "anthropic/alwaysLoad": true } };
}

function result({ text, isError = false }: ToolAnswer) {
  return { content: [{ type: "text" as const, text }], isError };
}

import { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { PendingRequests } from "../tool/pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { loadSdk } from "../setting/sdk.ts";
import { type ServedTool, UiNews, unknownUi } from "@turnwire/runtime/ui-tool";
import type { ClaudeToolCall } from "../tool/tool-server.ts";
import { createSdkToolServer } from "../tool/sdk-tool-server.ts";

const Listed = z.object({ tools: z.array(JsonObject) });
const Reply = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  isError: z.boolean(),
});
const Response = z.object({ id: z.number(), result: z.unknown() });

type Send = (message: object) => void;

/** Speaks MCP with a tool server in this process, as the CLI does. */
export class ToolClient {
  /** What the server has said to the run. */
  readonly said: RunMessage[] = [];
  readonly requests = new PendingRequests(
    (message) => this.#receive(message),
    () => false,
  );
  readonly #answers = new Map<number, (result: unknown) => void>();
  #listeners: (() => void)[] = [];
  #send: Send = () => undefined;
  #calls = 0;

  static async connect(
    tools: readonly ServedTool<ClaudeToolCall>[] = [],
    news = new UiNews(unknownUi),
  ): Promise<ToolClient> {
    const client = new ToolClient();
    const emit = (message: RunMessage): void => client.#receive(message);
    const sdk = await loadSdk();
    const { instance } = createSdkToolServer({
      sdk,
      requests: client.requests,
      emit,
      taken: async () => undefined,
      news: () => news,
      isFresh: true,
      tools,
    });
    const transport = {
      onmessage: undefined as Send | undefined,
      start: async () => undefined,
      close: async () => undefined,
      send: async (message: unknown) => client.#take(message),
    };
    await instance.connect(transport);
    client.#send = (message) => transport.onmessage?.({ jsonrpc: "2.0", ...message });
    return client;
  }

  /** What the server says at this place, now or later. */
  async heard(place: number): Promise<RunMessage> {
    for (;;) {
      const message = this.said[place];
      if (message) return message;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  async list(): Promise<JsonObject[]> {
    return Listed.parse(await this.#request("tools/list", {}).result).tools;
  }

  /** Calls a tool; `cancel` takes the call back, and no answer comes. */
  call(name: string, input?: JsonObject, toolUseId?: string) {
    const { id, result } = this.#request("tools/call", {
      name,
      ...(input && { arguments: input }),
      ...(toolUseId !== undefined && { _meta: { "claudecode/toolUseId": toolUseId } }),
    });
    const params = { requestId: id };
    return {
      reply: result.then((reply) => {
        const { content, isError } = Reply.parse(reply);
        return { text: content[0].text, isError };
      }),
      cancel: () => this.#send({ method: "notifications/cancelled", params }),
    };
  }

  #request(method: string, params: object): { id: number; result: Promise<unknown> } {
    this.#calls += 1;
    const id = this.#calls;
    const result = new Promise<unknown>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return { id, result };
  }

  #receive(message: RunMessage): void {
    this.said.push(message);
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #take(message: unknown): void {
    const { id, result } = Response.parse(message);
    this.#answers.get(id)?.(result);
  }
}

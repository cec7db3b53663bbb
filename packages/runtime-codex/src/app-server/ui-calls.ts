import { detach, ignore } from "@turnwire/base";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import type { RequestAnswer } from "@turnwire/runtime";
import {
  refusal,
  type ToolAnswer,
  type ToolCall,
  type UiNews,
  uiTools,
} from "@turnwire/runtime/ui-tool";
import type { RpcId } from "../protocol/rpc.ts";
import type { RunMessage } from "../protocol/run-message.ts";
import { ToolCallParams } from "../protocol/server-request.ts";
import type { CodexThread } from "./thread.ts";
import type { ThreadMessage } from "../protocol/thread-router.ts";
import { uiNamespace } from "../protocol/ui-namespace.ts";

export interface UiCallsOptions {
  readonly news: UiNews;
  /** Adds to what the run reports. */
  readonly push: (message: RunMessage) => void;
  /** Resolves when the session has taken all that was pushed until now. */
  readonly taken: () => Promise<void>;
}

type Request = ThreadMessage & { readonly id: RpcId };

/** The calls of our own tools, which are performed here. */
export class UiCalls {
  readonly #options: UiCallsOptions;
  readonly #open = new Map<RpcId, AbortController>();
  /** Those who wait for a person, by the id of the question. */
  readonly #asks = new Map<string, (answer: RequestAnswer | undefined) => void>();

  constructor(options: UiCallsOptions) {
    this.#options = options;
  }

  /** Performs the request where it is the call of one of our tools; returns whether it is. */
  take(thread: CodexThread, { id, method, params }: Request): boolean {
    if (method !== "item/tool/call") return false;
    const call = ToolCallParams.safeParse(params).data;
    if (call?.namespace !== uiNamespace) return false;
    const stop = new AbortController();
    this.#open.set(id, stop);
    detach(this.#perform({ thread, id, call }, stop.signal), ignore);
    return true;
  }

  /** A person has answered; without an open question nothing happens. */
  answer(answer: RequestAnswer): void {
    if (answer.type !== "interrupt_response") return;
    const settle = this.#asks.get(answer.interrupt_id);
    if (!settle) return;
    const params = { correlation_id: answer.interrupt_id };
    this.#options.push({ method: "turnwire/answer_sent", params });
    settle(answer);
  }

  /** Codex needs no answer any more. */
  forget(id: RpcId): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  /** The process is gone. */
  clear(): void {
    for (const id of this.#open.keys()) this.forget(id);
  }

  async #perform(use: UiUse, signal: AbortSignal): Promise<void> {
    const { thread, id } = use;
    const { text, isError = false } = await this.#answerTo(use, signal);
    this.#open.delete(id);
    if (signal.aborted) return;
    await thread.respond(id, {
      contentItems: [{ type: "inputText", text }],
      success: !isError,
    });
  }

  async #answerTo(use: UiUse, signal: AbortSignal): Promise<ToolAnswer> {
    const { tool: name, arguments: source } = use.call;
    const { news } = this.#options;
    const tool = uiTools(news.ui.catalog()).find((candidate) => candidate.name === name);
    if (!tool) return refusal(`There is no tool ${name}.`);
    const input = JsonObject.safeParse(source);
    if (!input.success) return refusal("The input must be an object.");
    try {
      return await tool.call(input.data, this.#toolCall(use, signal));
    } catch (error) {
      return refusal(error instanceof Error ? error.message : String(error));
    }
  }

  #toolCall({ id, call }: UiUse, signal: AbortSignal): ToolCall {
    const { news, push, taken } = this.#options;
    const { threadId, turnId, callId } = call;
    return {
      id: randomUUID(),
      toolUseId: { tool_use_id: callId },
      signal,
      news,
      emit: (event) => {
        push({ method: "turnwire/ui", params: { threadId, turnId, event } });
        return taken();
      },
      askInComponent: async ({ request_id, component_name, props, surface }) => {
        if (signal.aborted) return undefined;
        const shown = { component_name, props, surface };
        try {
          return await new Promise((resolve) => {
            this.#asks.set(request_id, resolve);
            signal.addEventListener("abort", () => resolve(undefined), { once: true });
            push({
              method: "turnwire/interrupt_ask",
              id,
              correlation_id: request_id,
              params: { threadId, turnId, ...shown },
            });
          });
        } finally {
          this.#asks.delete(request_id);
        }
      },
    };
  }
}

/** A call of one of our tools. */
interface UiUse {
  readonly thread: CodexThread;
  readonly id: RpcId;
  readonly call: ToolCallParams;
}

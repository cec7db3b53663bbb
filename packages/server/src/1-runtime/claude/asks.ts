import type { CanUseTool, HookCallback, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { type Answer, RuntimeError } from "../runtime.ts";
import type { InjectedMessage } from "./injected-message.ts";
import { verdictFromAnswer } from "./permissions.ts";

const gone: PermissionResult = { behavior: "deny", message: "The session was closed." };

/** What the agent waits for: each ask goes out as a message and comes back as an answer. */
export class Asks {
  readonly #emit: (message: InjectedMessage) => void;
  /** Settles an open ask; without an answer it was withdrawn. */
  readonly #open = new Map<string, (answer: Answer | undefined) => void>();

  constructor(emit: (message: InjectedMessage) => void) {
    this.#emit = emit;
  }

  readonly canUseTool: CanUseTool = async (toolName, toolInput, options) => {
    const { signal, requestId, toolUseID, agentID, suggestions, ...context } = options;
    const input = JsonObject.parse(toolInput);
    const message: InjectedMessage = {
      type: "turnwire/ask",
      request_id: requestId,
      tool_name: toolName,
      input,
      tool_use_id: toolUseID,
      ...(agentID !== undefined && { agent_id: agentID }),
      ...(suggestions && { suggestions: suggestions.map((entry) => JsonObject.parse(entry)) }),
      context: jsonFrom(context),
    };
    const answer = await this.#ask(message, signal);
    return answer ? verdictFromAnswer(input, answer) : gone;
  };

  /** Lets a person decide what a hook does. */
  readonly hook: HookCallback = async (hookInput, toolUseId, { signal }) => {
    const message: InjectedMessage = {
      type: "turnwire/hook_ask",
      request_id: randomUUID(),
      hook_event: hookInput.hook_event_name,
      input: jsonFrom(hookInput),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    };
    const answer = await this.#ask(message, signal);
    return answer?.type === "hook_response" ? answer.decision : {};
  };

  /** An answer to an ask that is not open any more changes nothing. */
  answer(answer: Answer): void {
    if (answer.type === "interrupt_response") return;
    this.#open.get(answer.correlation_id)?.(answer);
  }

  /** Nobody will answer any more. */
  withdrawAll(): void {
    for (const settle of this.#open.values()) settle(undefined);
  }

  async #ask(
    message: Extract<InjectedMessage, { type: "turnwire/ask" | "turnwire/hook_ask" }>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const id = message.request_id;
    if (this.#open.has(id)) {
      throw new RuntimeError("protocol", `The agent asked twice as ${id}.`);
    }
    const cancel = (): void => {
      this.#open.get(id)?.(undefined);
      this.#emit({ type: "turnwire/ask_cancelled", request_id: id });
    };
    try {
      return await new Promise<Answer | undefined>((resolve) => {
        this.#open.set(id, resolve);
        signal.addEventListener("abort", cancel, { once: true });
        this.#emit(message);
        if (signal.aborted) cancel();
      });
    } finally {
      this.#open.delete(id);
      signal.removeEventListener("abort", cancel);
    }
  }
}

/** Foreign data as JSON: what JSON cannot say is left out. */
function jsonFrom(source: unknown): JsonObject {
  return JsonObject.parse(JSON.parse(JSON.stringify(source)));
}

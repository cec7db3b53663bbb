import type { CanUseTool, HookCallback, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject, JsonValue } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { type Answer, RuntimeError } from "../runtime.ts";
import { askMessage, type RunMessage } from "./run-message.ts";
import { verdictFromAnswer } from "./permissions.ts";

const gone: PermissionResult = { behavior: "deny", message: "The session was closed." };

/** What the agent waits for: each ask goes out as a message and comes back as an answer. */
export class Asks {
  readonly #emit: (message: RunMessage) => void;
  readonly #isGone: () => boolean;
  /** Settles an open ask; without an answer it was withdrawn. */
  readonly #open = new Map<string, (answer: Answer | undefined) => void>();

  /** `isGone` tells whether the agent is: what it asked is then lost, not taken back. */
  constructor(emit: (message: RunMessage) => void, isGone: () => boolean) {
    this.#emit = emit;
    this.#isGone = isGone;
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    const message = askMessage(toolName, input, options);
    const answer = await this.#ask(options.requestId, message, options.signal);
    return answer ? verdictFromAnswer(JsonObject.parse(input), answer) : gone;
  };

  /** Lets a person decide what a hook does. */
  readonly hook: HookCallback = async (hookInput, toolUseId, { signal }) => {
    const id = randomUUID();
    const message: RunMessage = {
      type: "turnwire/hook_ask",
      request_id: id,
      hook_event: hookInput.hook_event_name,
      input: JsonValue.parse(hookInput),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    };
    const answer = await this.#ask(id, message, signal);
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

  async #ask(id: string, message: RunMessage, signal: AbortSignal): Promise<Answer | undefined> {
    if (this.#open.has(id)) {
      throw new RuntimeError("protocol", `The agent asked twice as ${id}.`);
    }
    const cancel = (): void => {
      this.#open.get(id)?.(undefined);
      if (!this.#isGone()) this.#emit({ type: "turnwire/ask_cancelled", request_id: id });
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

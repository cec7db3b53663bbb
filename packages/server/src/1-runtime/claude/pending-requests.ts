import type { CanUseTool, HookCallback, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject, JsonValue } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { RequestIds } from "../request-ids.ts";
import { type RequestAnswer, RuntimeError } from "../runtime.ts";
import { previewEdit } from "./edit-preview.ts";
import { type AskMessage, askMessage, type RunMessage } from "./run-message.ts";
import { verdictFromAnswer } from "./permissions.ts";

const gone: PermissionResult = { behavior: "deny", message: "The session was closed." };

/** What the agent waits for: each request goes out as a message and comes back as an answer. */
export class PendingRequests {
  readonly #emit: (message: RunMessage) => void;
  readonly #isGone: () => boolean;
  readonly #ids: RequestIds;
  #directory: string | undefined;
  #isWithdrawn = false;
  /** Settles an open request; without an answer it was withdrawn. */
  readonly #open = new Map<string, (answer: RequestAnswer | undefined) => void>();

  /** `isGone` returns whether the agent is gone: its requests are then lost, not withdrawn. */
  constructor(
    emit: (message: RunMessage) => void,
    isGone: () => boolean,
    isRequestIdUsed?: (id: string) => boolean,
  ) {
    this.#emit = emit;
    this.#isGone = isGone;
    this.#ids = new RequestIds(isRequestIdUsed);
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    const requestId = this.#ids.take(options.toolUseID);
    const diff =
      this.#directory === undefined
        ? undefined
        : await previewEdit(this.#directory, toolName, JsonObject.parse(input));
    if (this.#isWithdrawn) return gone;
    const message = askMessage(toolName, input, { ...options, requestId, diff });
    const answer = await this.ask(message, options.signal);
    return answer ? verdictFromAnswer(JsonObject.parse(input), answer) : gone;
  };

  /** Edits of files in this directory are shown with their place in the file. */
  workIn(directory: string): void {
    this.#directory = directory;
  }

  /** Lets a person decide what a hook does. */
  readonly hook: HookCallback = async (hookInput, toolUseId, { signal }) => {
    const message: AskMessage = {
      type: "turnwire/hook_ask",
      request_id: randomUUID(),
      hook_event: hookInput.hook_event_name,
      input: JsonValue.parse(hookInput),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    };
    const answer = await this.ask(message, signal);
    return answer?.type === "hook_response" ? answer.decision : {};
  };

  /** An answer to a request that is not open any more changes nothing. */
  answer(answer: RequestAnswer): void {
    const id = answer.type === "interrupt_response" ? answer.interrupt_id : answer.correlation_id;
    this.#open.get(id)?.(answer);
  }

  /** No answer will come any more. */
  withdrawAll(): void {
    this.#isWithdrawn = true;
    for (const settle of this.#open.values()) settle(undefined);
  }

  /** Waits for the answer; there is none when the request was withdrawn. */
  async ask(message: AskMessage, signal: AbortSignal): Promise<RequestAnswer | undefined> {
    const id = message.request_id;
    if (this.#open.has(id)) {
      throw new RuntimeError("protocol", `The agent asked twice as ${id}.`);
    }
    const cancel = (): void => {
      this.#open.get(id)?.(undefined);
      if (!this.#isGone()) this.#emit({ type: "turnwire/ask_cancelled", request_id: id });
    };
    try {
      return await new Promise<RequestAnswer | undefined>((resolve) => {
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

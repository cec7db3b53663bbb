import type { HookCallback, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import { type JsonObject, JsonValue, requestId } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import {
  type Elicitation,
  type ElicitationAnswer,
  elicitationAnswer,
  elicitationQuestions,
  isRequestAbout,
  RequestIds,
  type RequestAnswer,
  RuntimeError,
} from "@turnwire/runtime";
import { previewEdit } from "./edit-preview.ts";
import {
  type AskDetails,
  type AskMessage,
  askMessage,
  type RunMessage,
} from "../normalize/run-message.ts";
import { verdictFromAnswer } from "../setting/permissions.ts";

const gone: PermissionResult = { behavior: "deny", message: "The session was closed." };

export interface PermissionDetails extends Omit<AskDetails, "requestId" | "diff"> {
  /** Whether a hook of the agent waits for the answer. */
  readonly isHook?: boolean;
}

/** What the agent waits for: each request goes out as a message and comes back as an answer. */
export class PendingRequests {
  readonly #emit: (message: RunMessage) => void;
  readonly #isGone: () => boolean;
  readonly #ids: RequestIds;
  #directory: string | undefined;
  #isWithdrawn = false;
  /** Settles an open request; without an answer it was withdrawn. */
  readonly #open = new Map<string, (answer: RequestAnswer | undefined) => void>();
  /** What was asked before this run, by its id, with the answer that it got. */
  #earlier: ReadonlyMap<string, RequestAnswer | undefined> = new Map();
  /** The agent's own input of each use that runs with another one, by its id. */
  readonly #originals = new Map<string, JsonObject>();
  /** Permissions that are asked for within a hook. */
  readonly #heldByHook = new Set<string>();

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

  /** Asks a person whether a tool may be used. */
  async askPermission(
    tool: string,
    input: JsonObject,
    { isHook = false, ...details }: PermissionDetails,
  ): Promise<PermissionResult> {
    const earlier = this.#takeEarlier(details.toolUseID);
    if (earlier?.answer) return verdictFromAnswer(input, earlier.answer);
    const requestId = earlier?.requestId ?? this.#ids.take(details.toolUseID);
    const diff =
      this.#directory === undefined ? undefined : await previewEdit(this.#directory, tool, input);
    if (this.#isWithdrawn) return gone;
    const isRestored = earlier !== undefined;
    const message = askMessage(tool, input, { ...details, requestId, diff, isRestored });
    if (isHook) this.#heldByHook.add(requestId);
    try {
      const answer = await this.ask(message, details.signal);
      return answer ? verdictFromAnswer(input, answer) : gone;
    } finally {
      this.#heldByHook.delete(requestId);
    }
  }

  /** What the agent has asked already, and asks once more because it has not got the answer. */
  restore(earlier: ReadonlyMap<string, RequestAnswer | undefined>): void {
    this.#earlier = earlier;
  }

  #takeEarlier(toolUseId: string) {
    const earlier = new Map(this.#earlier);
    const requestId = [...earlier.keys()].findLast((id) => isRequestAbout(id, toolUseId));
    if (requestId === undefined) return undefined;
    const answer = earlier.get(requestId);
    earlier.delete(requestId);
    this.#earlier = earlier;
    return { requestId, answer };
  }

  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** Edits of files in this directory are shown with their place in the file. */
  workIn(directory: string): void {
    this.#directory = directory;
  }

  /** A tool runs with another input than the agent gave it; people are shown the agent's. */
  runsInsteadOf(toolUseId: string, input: JsonObject): void {
    this.#originals.set(toolUseId, input);
  }

  /** Lets a person decide what a hook does. */
  readonly hook: HookCallback = async (hookInput, toolUseId, { signal }) => {
    const original = toolUseId === undefined ? undefined : this.#originals.get(toolUseId);
    const message: AskMessage = {
      type: "turnwire/hook_ask",
      request_id: randomUUID(),
      hook_event: hookInput.hook_event_name,
      input: JsonValue.parse(original ? { ...hookInput, tool_input: original } : hookInput),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    };
    const answer = await this.ask(message, signal);
    return answer?.type === "hook_response" ? answer.decision : {};
  };

  /** Lets a person answer what an MCP server asks; one that asks for no value at all is declined. */
  async elicit(asked: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    const questions = elicitationQuestions(asked);
    if (questions.length === 0) return { action: "decline" };
    const message: AskMessage = {
      type: "turnwire/elicitation_ask",
      request_id: randomUUID(),
      server_name: asked.serverName,
      questions,
    };
    const answer = await this.ask(message, signal);
    return answer?.type === "question_response"
      ? elicitationAnswer(asked, answer.answers)
      : { action: "cancel" };
  }

  /**
   * An answer to a request that is not open any more changes nothing. Returns whether the turn must be
   * stopped as well: a hook can only refuse.
   */
  answer(answer: RequestAnswer): boolean {
    const id = requestId(answer);
    const isStopped = this.#heldByHook.has(id) && isInterrupting(answer);
    this.#open.get(id)?.(answer);
    return isStopped;
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

function isInterrupting(answer: RequestAnswer): boolean {
  return (
    answer.type === "permission_response" && answer.behavior === "deny" && answer.interrupt === true
  );
}

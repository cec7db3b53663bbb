import { detach, ignore } from "@turnwire/base";
import type { RequestPolicy } from "@turnwire/protocol";
import { type RequestAnswer, refusalText, requestPolicy } from "@turnwire/runtime";
import type { UiNews } from "@turnwire/runtime/ui-tool";
import { resultFromAnswer } from "../protocol/answer.ts";
import type { RequestGate, Ruling } from "../gate/request-gate.ts";
import { inputFrom } from "./input.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { RpcId } from "../protocol/rpc.ts";
import type { RunMessage } from "../protocol/run-message.ts";
import { isServerRequestMethod } from "../protocol/server-request.ts";
import type { CodexThread } from "./thread.ts";
import type { ThreadMessage } from "../protocol/thread-router.ts";
import type { TurnSettings } from "../setting/turn-settings.ts";
import type { TurnWatch } from "./turn-watch.ts";
import { UiCalls } from "./ui-calls.ts";

export type ThreadRequest = ThreadMessage & { readonly id: RpcId };

/** A request as the normalizer reads it. */
type AskedRequest = ThreadRequest & {
  readonly correlation_id: string;
  readonly policy?: RequestPolicy;
};

export interface ThreadRequestsOptions {
  readonly settings: TurnSettings;
  readonly turns: TurnWatch;
  /** Undefined: the session cannot have a policy mode. */
  readonly gate: RequestGate | undefined;
  readonly isRequestIdUsed: ((id: string) => boolean) | undefined;
  /** Adds to what the run reports. */
  readonly push: (message: RunMessage | ThreadMessage | AskedRequest) => void;
  /** Resolves when the session has taken all that was pushed until now. */
  readonly taken: () => Promise<void>;
  readonly news: UiNews;
}

/** What a thread and its sub-agents ask: the policy answers first, a person where it does not. */
export class ThreadRequests {
  readonly #options: ThreadRequestsOptions;
  readonly #pending: PendingRequests;
  /** Calls of the user interface's tools that a person has to allow first, by the id of that request. */
  readonly #held = new Map<string, ThreadRequest>();
  /** Requests that the policy has not answered yet. */
  readonly #judged = new Set<RpcId>();
  readonly #ui: UiCalls;

  constructor(options: ThreadRequestsOptions) {
    this.#options = options;
    this.#ui = new UiCalls(options);
    this.#pending = new PendingRequests(options.isRequestIdUsed);
  }

  /** Sees every message before it is taken. */
  observe(message: ThreadMessage): void {
    this.#options.gate?.observe(message);
  }

  take(thread: CodexThread, request: ThreadRequest): void {
    const { gate, push } = this.#options;
    if (!isServerRequestMethod(request.method)) {
      this.refuse(thread, request);
      push(request);
      return;
    }
    // What they do happens in the UI, before the eyes of whoever would be asked.
    if (this.#ui.take(thread, request)) return;
    const ruling = gate?.rule(request);
    if (ruling) detach(this.#judge(thread, request, ruling), ignore);
    else this.#passOn(request);
  }

  async #judge(
    thread: CodexThread,
    request: ThreadRequest,
    judging: Promise<Ruling | undefined>,
  ): Promise<void> {
    this.#judged.add(request.id);
    const ruling = await judging;
    // Codex may not need an answer any more.
    if (!this.#judged.delete(request.id)) return;
    if (!ruling) return this.#passOn(request);
    const { push, settings } = this.#options;
    const { threadId, turnId, decision } = ruling;
    push({ method: "turnwire/policy_decision", params: { threadId, turnId, decision } });
    const { verdict } = decision;
    if (verdict === "ask") this.#ask(request, requestPolicy(decision));
    else if (verdict === "allow" && settings.asksDespitePolicy) this.#passOn(request);
    else await this.#settle(thread, request, ruling);
  }

  /** A person has answered; an answer to a request that is not open any more changes nothing. */
  async answer(answer: RequestAnswer, opened: Promise<CodexThread>): Promise<void> {
    this.#ui.answer(answer);
    const taken = this.#pending.take(this.#withoutGrants(answer));
    if (!taken) return;
    const { id, correlationId, result, threadId } = taken;
    const held = this.#held.get(correlationId);
    this.#options.push({
      method: "turnwire/answer_sent",
      params: { correlation_id: correlationId },
    });
    this.#held.delete(correlationId);
    if (held && answer.type === "permission_response" && answer.behavior === "allow") {
      this.#passOn(held);
      return;
    }
    const thread = await opened;
    const reason = held ? undefined : reasonOf(answer);
    if (reason !== undefined) {
      await this.#tell(thread, threadId ?? thread.id, `I declined that: ${reason}`);
    }
    await thread.respond(id, result);
  }

  refuse(thread: CodexThread, { id }: ThreadRequest): void {
    detach(thread.refuse(id, "Turnwire has no answer to this."), ignore);
  }

  /** Codex needs no answer any more. */
  forget(id: RpcId): void {
    this.#judged.delete(id);
    this.#pending.forget(id);
    this.#ui.forget(id);
  }

  /** The process is gone. */
  clear(): void {
    this.#judged.clear();
    this.#pending.clear();
    this.#ui.clear();
    this.#held.clear();
    this.#options.gate?.forgetAll();
  }

  /** What Codex remembers it never asks about again, so the policy would not hear of it. */
  #withoutGrants(answer: RequestAnswer): RequestAnswer {
    if (answer.type !== "permission_response" || !this.#options.settings.isGated) return answer;
    const { updated_permissions: _, ...once } = answer;
    return once;
  }

  async #settle(
    thread: CodexThread,
    request: ThreadRequest,
    { decision, threadId }: Ruling,
  ): Promise<void> {
    const { verdict } = decision;
    const isToolCall = request.method === "item/tool/call";
    if (verdict === "allow" && isToolCall) return this.#passOn(request);
    const text = refusalText(decision);
    if (verdict === "deny" && !isToolCall) await this.#inform(thread, threadId, text);
    const head = { correlation_id: "" };
    const answer: RequestAnswer = isToolCall
      ? { type: "tool_call_response", ...head, output: text, is_error: true }
      : { type: "permission_response", ...head, behavior: verdict === "allow" ? "allow" : "deny" };
    const { method, params } = request;
    await thread.respond(request.id, resultFromAnswer({ method, params }, answer));
  }

  /** A person decides, because the policy says so. */
  #ask(request: ThreadRequest, policy: RequestPolicy): void {
    const isHeld = request.method === "item/tool/call";
    const asked = isHeld ? { ...request, method: "turnwire/tool_approval" } : request;
    const correlation_id = this.#pending.add(asked);
    if (isHeld) this.#held.set(correlation_id, request);
    this.#options.push({ ...asked, correlation_id, policy });
  }

  /** A person decides, or the user interface runs its tool. */
  #passOn(request: ThreadRequest): void {
    this.#options.push({ ...request, correlation_id: this.#pending.add(request) });
  }

  /**
   * The model reads it beside the refusal, as words of the program that runs it. Codex 0.166.0 takes
   * none for a sub-agent of its second kind: there the agent that started it reads them.
   */
  async #inform(thread: CodexThread, threadId: string, text: string): Promise<void> {
    const inject = (target: string): Promise<unknown> => {
      const content = [{ type: "input_text", text }];
      const items = [{ type: "message", role: "developer", content }];
      return thread.call("thread/inject_items", { threadId: target, items });
    };
    // The refusal counts, also where its reason is not heard.
    await inject(threadId).catch(() => inject(thread.id).catch(ignore));
  }

  /**
   * Codex 0.166.0 takes no reason with a denial: it goes into the waiting turn as words of the
   * person, before the answer, so that the model reads both at once.
   */
  async #tell(thread: CodexThread, threadId: string, text: string): Promise<void> {
    const expectedTurnId = this.#options.turns.turnOf(threadId);
    if (expectedTurnId === undefined) return;
    const input = inputFrom({ content: [{ type: "text", text }] });
    // The denial counts, also where its reason is not heard.
    await thread.call("turn/steer", { threadId, expectedTurnId, input }).catch(ignore);
  }
}

/** Why a person said no; a turn that stops with it needs no reason. */
function reasonOf(answer: RequestAnswer): string | undefined {
  if (answer.type !== "permission_response" || answer.behavior !== "deny") return undefined;
  return answer.interrupt === true ? undefined : answer.message || undefined;
}

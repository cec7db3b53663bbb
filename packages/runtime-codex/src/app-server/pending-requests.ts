import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { RequestIds, type RequestAnswer } from "@turnwire/runtime";
import { resultFromAnswer } from "../protocol/answer.ts";
import type { RpcId } from "../protocol/rpc.ts";
import type { ThreadMessage } from "../protocol/thread-router.ts";

/** The item that a request is about, or the call of a tool. */
const Subject = z.looseObject({
  threadId: z.string().optional(),
  itemId: z.string().optional(),
  callId: z.string().optional(),
});

interface OpenRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

interface TakenRequest {
  readonly id: RpcId;
  readonly correlationId: string;
  readonly result: JsonObject;
  /** The thread that asked: a sub-agent has its own. */
  readonly threadId: string | undefined;
}

/** What the agent waits for, by the session's own id of it: Codex counts its ids from 0 in every process. */
export class PendingRequests {
  readonly #open = new Map<string, OpenRequest>();
  readonly #ids: RequestIds;

  constructor(isRequestIdUsed?: (id: string) => boolean) {
    this.#ids = new RequestIds(isRequestIdUsed);
  }

  /** The session's id of a request that came. */
  add({ id, method, params }: ThreadMessage & { readonly id: RpcId }): string {
    const { itemId, callId } = Subject.safeParse(params).data ?? {};
    const correlationId = this.#ids.take(itemId ?? callId);
    this.#open.set(correlationId, { id, method, params });
    return correlationId;
  }

  /** The result to answer with, of a request that is open; it stays open when the answer does not fit. */
  take(answer: RequestAnswer): TakenRequest | undefined {
    if (answer.type === "interrupt_response") return undefined;
    const correlationId = answer.correlation_id;
    const ask = this.#open.get(correlationId);
    if (!ask) return undefined;
    const result = resultFromAnswer(ask, answer);
    this.#open.delete(correlationId);
    const { threadId } = Subject.safeParse(ask.params).data ?? {};
    return { id: ask.id, correlationId, result, threadId };
  }

  /** Codex needs no answer any more. */
  forget(id: RpcId): void {
    for (const [correlationId, ask] of this.#open) {
      if (ask.id === id) this.#open.delete(correlationId);
    }
  }

  clear(): void {
    this.#open.clear();
  }
}

import type { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import type { Answer } from "../runtime.ts";
import { resultFromAnswer } from "./answer.ts";
import type { RpcId } from "./rpc.ts";
import type { ThreadMessage } from "./thread-router.ts";

interface OpenAsk {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** What the agent waits for, by the session's own id of it: Codex counts its ids from 0 in every process. */
export class Asks {
  readonly #open = new Map<string, OpenAsk>();

  /** The session's id of a request that came. */
  add({ id, method, params }: ThreadMessage & { readonly id: RpcId }): string {
    const correlationId = randomUUID();
    this.#open.set(correlationId, { id, method, params });
    return correlationId;
  }

  /** The result to answer with, of an ask that is open; it stays open when the answer does not fit. */
  take(answer: Answer): { id: RpcId; correlationId: string; result: JsonObject } | undefined {
    if (answer.type === "interrupt_response") return undefined;
    const correlationId = answer.correlation_id;
    const ask = this.#open.get(correlationId);
    if (!ask) return undefined;
    const result = resultFromAnswer(ask, answer);
    this.#open.delete(correlationId);
    return { id: ask.id, correlationId, result };
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

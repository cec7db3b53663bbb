/**
 * JSON-RPC with an app-server over its stdio, one message per line. Every call ends: with an answer,
 * at its deadline, or when the process is gone. What the server says by itself is reported in order.
 */
import * as z from "zod";
import { type Clock, detach, Semaphore, systemClock } from "@turnwire/base";
import type { SplitLine } from "@turnwire/runtime/process";
import { RuntimeError } from "@turnwire/runtime";
import { OVERLOADED, RpcError } from "./rpc-error.ts";

export type RpcId = string | number;

/** A message that the server sends by itself, as it came. */
export interface RpcNotification {
  readonly method: string;
  readonly params?: unknown;
}

/** A question of the server. Its id may be 0, and may equal the id of a call of ours. */
export interface RpcRequest extends RpcNotification {
  readonly id: RpcId;
}

/** The way to an app-server: a process of ours, or a connection. */
export interface RpcChannel {
  /** Ends when nothing more will come. Read once. */
  readonly lines: AsyncIterable<SplitLine>;
  /** Rejects with a RuntimeError when the server is gone. */
  write(line: string): Promise<void>;
  stderr(): string;
  /** How it ended, to follow "Codex"; resolves when it has. */
  ended(): Promise<string>;
  /** Ends the server, or the connection to it. */
  stop(): Promise<unknown>;
}

export interface RpcOptions {
  /** Nothing more is read until what it answers has settled. */
  readonly onNotification: (notification: RpcNotification) => void | Promise<void>;
  readonly onRequest: (request: RpcRequest) => void | Promise<void>;
  readonly clock?: Clock;
  readonly limits?: Partial<RpcLimits>;
}

export interface RpcLimits {
  /** A call without an answer after this time is given up. */
  readonly callMs: number;
  /** After that, a server that does not answer a probe within this time either is stopped. */
  readonly probeMs: number;
  /** More calls wait for their turn: beyond some hundreds Codex 0.166.0 forgets to answer. */
  readonly maxInFlight: number;
  /** How often a call is tried again that the server was too busy for. */
  readonly retries: number;
  /** The first pause before that; each next one is twice as long. */
  readonly retryMs: number;
}

export interface CallOptions {
  readonly timeoutMs?: number;
}

const defaultLimits: RpcLimits = {
  callMs: 30_000,
  probeMs: 5000,
  maxInFlight: 64,
  retries: 6,
  retryMs: 50,
};

/** A question that Codex answers at once: any answer, a refusal too, shows that it is alive. */
const probeMethod = "thread/loaded/list";

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const RpcIdSchema = z.union([z.string(), z.number()]);
const Incoming = z.object({
  method: z.string().optional(),
  id: RpcIdSchema.nullish(),
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});

/** A client of one app-server process. */
export class RpcClient {
  /** Resolves with the reason when nothing more will come. Never rejects. */
  readonly closed: Promise<RuntimeError>;
  readonly #channel: RpcChannel;
  readonly #options: RpcOptions;
  readonly #clock: Clock;
  readonly #limits: RpcLimits;
  readonly #inFlight: Semaphore;
  readonly #pending = new Map<RpcId, PendingCall>();
  readonly #gone = new AbortController();
  #nextId = 1;
  #malformedLines = 0;
  #failure: RuntimeError | undefined;
  /** Whether it was stopped because it answered nothing. */
  #isFrozen = false;
  #probing: Promise<void> | undefined;

  constructor(channel: RpcChannel, options: RpcOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#inFlight = new Semaphore(this.#limits.maxInFlight);
    this.closed = this.#read();
  }

  /** Lines that were not messages: skipped, and counted for whoever looks for the cause of trouble. */
  get malformedLines(): number {
    return this.#malformedLines;
  }

  /** The last of what the server wrote to stderr. */
  get stderr(): string {
    return this.#channel.stderr();
  }

  /** Calls a method; rejects with an RpcError for the server's refusal, else with a RuntimeError. */
  async call(method: string, params?: unknown, options: CallOptions = {}): Promise<unknown> {
    const { retries, retryMs } = this.#limits;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#inFlight.run(() => this.#callOnce(method, params, options));
      } catch (error) {
        const isBusy = error instanceof RpcError && error.code === OVERLOADED;
        if (!isBusy || attempt >= retries) throw error;
        await this.#clock.wait(retryMs * 2 ** attempt, this.#gone.signal);
      }
    }
  }

  /** Notifies the server. Rejects with a RuntimeError when it is gone. */
  notify(method: string, params?: unknown): Promise<void> {
    return this.#write({ method, ...(params !== undefined && { params }) });
  }

  /** Answers a request of the server. */
  respond(id: RpcId, result: unknown): Promise<void> {
    return this.#write({ id, result });
  }

  /** Refuses a request of the server. */
  refuse(id: RpcId, error: { code: number; message: string }): Promise<void> {
    return this.#write({ id, error });
  }

  async #callOnce(
    method: string,
    params: unknown,
    { timeoutMs = this.#limits.callMs }: CallOptions,
  ): Promise<unknown> {
    return this.#ask(method, params, async (settled) => {
      await this.#clock.wait(timeoutMs, settled);
      if (!settled.aborted) await this.#probe();
      if (settled.aborted) return;
      const silence = `Codex has not answered ${method} for ${timeoutMs} ms`;
      throw new RuntimeError("stalled", `${silence}, though it answers other calls. Try again.`);
    });
  }

  /** The answer to a call, unless it expires first: `expire` then throws. */
  async #ask(
    method: string,
    params: unknown,
    expire: (settled: AbortSignal) => Promise<void>,
  ): Promise<unknown> {
    if (this.#failure) throw this.#failure;
    const id = this.#nextId++;
    const settled = new AbortController();
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const message = { method, id, ...(params !== undefined && { params }) };
      detach(this.#write(message), reject);
      detach(expire(settled.signal), reject);
    });
    try {
      return await answer;
    } finally {
      this.#pending.delete(id);
      settled.abort();
    }
  }

  /** Stops a server that answers nothing, so that another can take its place; every call that waits then ends. */
  #probe(): Promise<void> {
    this.#probing ??= this.#stopIfFrozen().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  async #stopIfFrozen(): Promise<void> {
    const { probeMs } = this.#limits;
    try {
      await this.#ask(probeMethod, {}, async (settled) => {
        await this.#clock.wait(probeMs, settled);
        if (!settled.aborted) throw new RuntimeError("stalled", "Codex answers nothing.");
      });
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== "stalled") return;
      this.#isFrozen = true;
      await this.#channel.stop();
      await this.closed;
    }
  }

  #write(message: object): Promise<void> {
    return this.#channel.write(JSON.stringify(message));
  }

  async #read(): Promise<RuntimeError> {
    try {
      for await (const line of this.#channel.lines) {
        if (line.type === "line") await this.#take(line.text);
        else this.#malformedLines += 1;
      }
    } catch (cause) {
      return this.#fail(new RuntimeError("protocol", "Codex could not be read.", { cause }));
    }
    const how = await this.#channel.ended();
    // Its stderr may be about another session.
    const why = this.#isFrozen ? "did not answer any more and was stopped" : how;
    return this.#fail(new RuntimeError("exited", `Codex ${why}.`));
  }

  #take(line: string): void | Promise<void> {
    const message = jsonFrom(line);
    const incoming = Incoming.safeParse(message);
    if (!incoming.success) {
      this.#malformedLines += 1;
      return;
    }
    const { method, id, result, error } = incoming.data;
    // Before the id: the server's ids begin at 0 and meet ours.
    if (method !== undefined) return this.#deliver(message as RpcNotification, id);
    const pending = id === undefined || id === null ? undefined : this.#pending.get(id);
    // The answer to a call that was given up has no receiver.
    if (!pending) return;
    if (error) pending.reject(new RpcError(error));
    else pending.resolve(result);
  }

  #deliver(message: RpcNotification, id: RpcId | null | undefined): void | Promise<void> {
    return id === undefined || id === null
      ? this.#options.onNotification(message)
      : this.#options.onRequest({ ...message, id });
  }

  #fail(failure: RuntimeError): RuntimeError {
    this.#failure = failure;
    for (const { reject } of this.#pending.values()) reject(failure);
    this.#gone.abort();
    return failure;
  }
}

function jsonFrom(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Anything else is not a message: the caller counts it.
    return undefined;
  }
}

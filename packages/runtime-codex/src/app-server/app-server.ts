import * as z from "zod";
import { detach } from "@turnwire/base";
import { RuntimeError } from "@turnwire/runtime";
import { type AppServerProcess, startAppServer } from "./app-server-process.ts";
import { threadIdOf } from "../protocol/message.ts";
import type { CodexOptions } from "../setting/options.ts";
import type { RpcClient } from "../protocol/rpc.ts";
import { type ThreadMessage, ThreadRouter } from "../protocol/thread-router.ts";

/** A running app-server, and the way from its messages to the runs. */
export interface Connection {
  readonly process: AppServerProcess;
  readonly rpc: RpcClient;
  readonly router: ThreadRouter;
}

export interface AppServerListener {
  /** Codex has unloaded a thread: other processes may write to it. */
  readonly onUnloaded?: (threadId: string) => void;
  /** The process is gone, and with it every thread it had loaded. */
  readonly onExit?: () => void;
}

/** JSON-RPC's own code for a method that the other side does not have. */
const methodNotFound = -32601;

/** A process that dies this soon after its start has not served. */
const shortLifeMs = 10_000;
/** After so many in a row, runs are not moved to yet another one. */
const maxShortLives = 3;

const Thread = z.object({ thread: z.object({ parentThreadId: z.string().nullish() }) });

/** The one app-server of a runtime: started when it is needed, and again when it died. */
export class AppServer {
  readonly #options: CodexOptions;
  readonly #listener: AppServerListener;
  #connection: Promise<Connection> | undefined;
  #shortLives = 0;
  #isClosed = false;

  constructor(options: CodexOptions, listener: AppServerListener = {}) {
    this.#options = options;
    this.#listener = listener;
  }

  /** The connection for new work. Rejects with a RuntimeError. */
  connect(): Promise<Connection> {
    if (this.#isClosed) {
      return Promise.reject(new RuntimeError("not_available", "The Codex runtime is closed."));
    }
    if (!this.#connection) {
      const connection = this.#start();
      this.#connection = connection;
      detach(connection, () => this.#forget(connection));
    }
    return this.#connection;
  }

  /** The connection for runs whose process died. Rejects when that helps no run any more. */
  async reconnect(): Promise<Connection> {
    if (this.#shortLives >= maxShortLives) {
      throw new RuntimeError(
        "exited",
        `Codex died ${this.#shortLives} times soon after its start. See \`turnwire doctor\`.`,
      );
    }
    return this.connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.process.stop();
  }

  async #start(): Promise<Connection> {
    const startedAt = performance.now();
    const early: ThreadMessage[] = [];
    let router: ThreadRouter | undefined;
    const take = (message: ThreadMessage): void | Promise<void> => {
      const unloaded = unloadedThread(message);
      if (unloaded !== undefined) this.#listener.onUnloaded?.(unloaded);
      if (router) return router.route(message);
      early.push(message);
    };
    const process = await startAppServer(this.#options, { onNotification: take, onRequest: take });
    const { rpc } = process;
    router = new ThreadRouter({
      parentOf: (threadId) => parentOf(rpc, threadId),
      onUnclaimed: (message) => refuse(rpc, message),
    });
    for (const message of early) void router.route(message);
    const connection: Connection = { process, rpc, router };
    detach(this.#watch(connection, startedAt), () => undefined);
    return connection;
  }

  async #watch({ process, rpc }: Connection, startedAt: number): Promise<void> {
    await rpc.closed;
    this.#listener.onExit?.();
    const isShort = performance.now() - startedAt < shortLifeMs;
    this.#shortLives = isShort ? this.#shortLives + 1 : 0;
    this.#connection = undefined;
    await process.stop();
  }

  #forget(connection: Promise<Connection>): void {
    if (this.#connection === connection) this.#connection = undefined;
  }
}

async function parentOf(rpc: RpcClient, threadId: string): Promise<string | undefined> {
  const { thread } = Thread.parse(await rpc.call("thread/read", { threadId, includeTurns: false }));
  return thread.parentThreadId ?? undefined;
}

const NotLoaded = z.object({ status: z.object({ type: z.literal("notLoaded") }) });

/** Codex 0.166.0 reports an archived thread by its status alone. */
function unloadedThread(message: ThreadMessage): string | undefined {
  const isUnloaded =
    message.method === "thread/closed" ||
    (message.method === "thread/status/changed" && NotLoaded.safeParse(message.params).success);
  return isUnloaded ? threadIdOf(message) : undefined;
}

/** A request that is not taken would hold the agent for ever. */
function refuse(rpc: RpcClient, { id, method }: ThreadMessage): void {
  if (id === undefined) return;
  const refused = rpc.refuse(id, {
    code: methodNotFound,
    message: `There is no answer to ${method}.`,
  });
  detach(refused, () => undefined);
}

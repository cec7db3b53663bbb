import { threadIdOf } from "./message.ts";
import type { RpcId } from "./rpc.ts";
import * as z from "zod";
import { itemFrom } from "./item.ts";
import { JsonObject } from "@turnwire/protocol";

/** A message of the app-server: a request has an id, which may be 0. */
export interface ThreadMessage {
  readonly method: string;
  readonly params?: unknown;
  readonly id?: RpcId;
}

/** Takes what one thread and its sub-agents say; the process is read on when its answer has settled. */
export type ThreadReader = (message: ThreadMessage) => void | Promise<void>;

export interface ThreadRouterOptions {
  /** The thread that has spawned this one, or nothing. */
  readonly parentOf: (threadId: string) => Promise<string | undefined>;
  /** Takes a message that no run waits for. */
  readonly onUnclaimed: (message: ThreadMessage) => void;
}

/** More than that is not kept of a thread that is not claimed yet. */
const maxKept = 10_000;

/** The messages that concern every thread. */
const ofAccount: ReadonlySet<string> = new Set(["account/rateLimits/updated"]);

/** Gives each message of one process to the run it belongs to, also those of sub-agents. */
export class ThreadRouter {
  readonly #options: ThreadRouterOptions;
  readonly #readers = new Map<string, ThreadReader>();
  /** Sub-agents by the thread that spawned them. */
  readonly #parents = new Map<string, string>();
  /** What came before it was known whose it is; the messages of a sub-agent may precede its announcement. */
  readonly #kept = new Map<string, ThreadMessage[]>();

  constructor(options: ThreadRouterOptions) {
    this.#options = options;
  }

  /** Gives the thread's messages to the reader from now on, and what has come already. */
  claim(threadId: string, reader: ThreadReader): void {
    this.#readers.set(threadId, reader);
    this.#release(threadId);
  }

  /** The reader wants nothing more of the thread. */
  leave(threadId: string, reader: ThreadReader): void {
    if (this.#readers.get(threadId) === reader) this.#readers.delete(threadId);
  }

  /** The answer settles when the reader can take more. */
  route(message: ThreadMessage): void | Promise<void> {
    const threadId = threadIdOf(message);
    if (ofAccount.has(message.method)) return this.#spread(message);
    if (threadId === undefined) return this.#options.onUnclaimed(message);
    const reader = this.#readerOf(threadId);
    if (!reader) return this.#keep(threadId, message);
    const taken = reader(message);
    if (mayAnnounce(message)) {
      for (const child of childThreadsOf(message)) this.adopt(child, threadId);
    }
    return taken;
  }

  /** The child's messages go where the parent's go. */
  adopt(child: string, parent: string): void {
    if (child === parent || this.#readers.has(child)) return;
    this.#parents.set(child, parent);
    this.#release(child);
  }

  async #spread(message: ThreadMessage): Promise<void> {
    await Promise.all(Array.from(this.#readers.values(), async (reader) => reader(message)));
  }

  #readerOf(threadId: string): ThreadReader | undefined {
    const seen = new Set<string>();
    for (let id: string | undefined = threadId; id !== undefined; id = this.#parents.get(id)) {
      if (seen.has(id)) return undefined;
      const reader = this.#readers.get(id);
      if (reader) return reader;
      seen.add(id);
    }
    return undefined;
  }

  #keep(threadId: string, message: ThreadMessage): void {
    const kept = this.#kept.get(threadId);
    if (kept && kept.length < maxKept) kept.push(message);
    else if (kept) this.#options.onUnclaimed(message);
    else {
      this.#kept.set(threadId, [message]);
      this.#lookUp(threadId).catch(() => this.#drop(threadId));
    }
  }

  async #lookUp(threadId: string): Promise<void> {
    const parent = await this.#options.parentOf(threadId);
    if (parent !== undefined) this.adopt(threadId, parent);
    else if (!this.#readerOf(threadId)) this.#drop(threadId);
  }

  #drop(threadId: string): void {
    const kept = this.#kept.get(threadId) ?? [];
    this.#kept.delete(threadId);
    for (const message of kept) this.#options.onUnclaimed(message);
  }

  #release(threadId: string): void {
    if (!this.#readerOf(threadId)) return;
    const kept = this.#kept.get(threadId) ?? [];
    this.#kept.delete(threadId);
    for (const message of kept) void this.route(message);
  }
}

/** Deltas never do, and they are most of what comes. */
function mayAnnounce({ method }: ThreadMessage): boolean {
  return method === "item/started" || method === "item/completed";
}

const ItemMessage = z.object({
  method: z.enum(["item/started", "item/completed"]),
  params: z.object({ item: JsonObject }),
});

/**
 * The threads that a native message names as sub-agents of its own thread. Codex announces them
 * in no other way (0.166.0), and their own messages may come first.
 */
function childThreadsOf(native: unknown): readonly string[] {
  const message = ItemMessage.safeParse(native);
  const item = message.success ? itemFrom(message.data.params.item) : undefined;
  if (item?.type === "collabAgentToolCall") return item.receiverThreadIds;
  return item?.type === "subAgentActivity" ? [item.agentThreadId] : [];
}

import * as z from "zod";
import { JsonObject } from "@turnwire/protocol";
import { type FileChange, itemFrom, type ItemOf } from "../protocol/item.ts";
import type { ThreadMessage } from "../protocol/thread-router.ts";

const ItemMessage = z.object({ threadId: z.string(), item: JsonObject });

type OpenItem = (ItemOf<"fileChange"> | ItemOf<"mcpToolCall">) & { readonly threadId: string };

/**
 * The patches and calls of MCP tools that have begun. Codex 0.166.0 asks about them without
 * repeating what they are: a patch is asked about by its id, a tool by the name of its server.
 */
export class OpenItems {
  readonly #items = new Map<string, OpenItem>();

  observe({ method, params }: ThreadMessage): void {
    if (method !== "item/started" && method !== "item/completed") return;
    const { data } = ItemMessage.safeParse(params);
    const item = data && itemFrom(data.item);
    if (!data || (item?.type !== "fileChange" && item?.type !== "mcpToolCall")) return;
    if (method === "item/completed") this.#items.delete(item.id);
    else this.#items.set(item.id, { ...item, threadId: data.threadId });
  }

  changesOf(itemId: string): readonly FileChange[] {
    const item = this.#items.get(itemId);
    return item?.type === "fileChange" ? item.changes : [];
  }

  /** The calls of a server's tools that may be the one that is asked about: several may wait at once. */
  toolCallsOf(threadId: string, server: string): (ItemOf<"mcpToolCall"> & OpenItem)[] {
    return [...this.#items.values()].filter(
      (item): item is ItemOf<"mcpToolCall"> & OpenItem =>
        item.type === "mcpToolCall" && item.threadId === threadId && item.server === server,
    );
  }

  clear(): void {
    this.#items.clear();
  }
}

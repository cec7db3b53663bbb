import * as z from "zod";
import { itemFrom } from "./item.ts";
import { JsonObject } from "@turnwire/protocol";

const ItemMessage = z.object({
  method: z.enum(["item/started", "item/completed"]),
  params: z.object({ item: JsonObject }),
});

/**
 * The threads that a native message names as sub-agents of its own thread. Codex announces them
 * in no other way (0.166.0), and their own messages may come first.
 */
export function childThreadsOf(native: unknown): readonly string[] {
  const message = ItemMessage.safeParse(native);
  const item = message.success ? itemFrom(message.data.params.item) : undefined;
  if (item?.type === "collabAgentToolCall") return item.receiverThreadIds;
  return item?.type === "subAgentActivity" ? [item.agentThreadId] : [];
}

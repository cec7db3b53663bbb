import { type Block, isRequestBlock, type Message, requestId } from "@turnwire/protocol";
import type { Row } from "./outline.ts";

interface Outlined {
  readonly rows: readonly Row[];
  readonly messages: readonly Message[];
}

/** Which row shows a request, also one of a sub-agent; undefined if none does. */
export function requestRowIndex({ rows, messages }: Outlined, id: string): number | undefined {
  for (const message of messages.toReversed()) {
    if (message.role === "user") continue;
    const place = message.blocks.findIndex((block) => isOrHolds(block, id));
    if (place < 0) continue;
    const index = rows.findIndex(
      (row) =>
        row.messageId === message.id && "start" in row && row.start <= place && place < row.end,
    );
    return index < 0 ? undefined : index;
  }
  return undefined;
}

function isOrHolds(block: Block, id: string): boolean {
  if (block.type === "subagent") return block.blocks.some((inner) => isOrHolds(inner, id));
  return isRequestBlock(block) && requestId(block) === id;
}

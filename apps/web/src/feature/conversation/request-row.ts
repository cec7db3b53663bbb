import type { Block, Message } from "@turnwire/protocol";
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
  switch (block.type) {
    case "permission":
    case "question":
    case "hook":
    case "tool_call":
    case "budget":
      return block.correlation_id === id;
    case "interrupt":
      return block.interrupt_id === id;
    case "subagent":
      return block.blocks.some((inner) => isOrHolds(inner, id));
    case "text":
    case "thinking":
    case "tool":
    case "component":
    case "plan":
    case "diff":
    case "notice":
    case "error":
      return false;
  }
}

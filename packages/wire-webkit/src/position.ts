import { accepted, rejected, type Result } from "@turnwire/protocol";
import type { ReadableLog } from "@turnwire/wire";

export interface WebkitOptions {
  /** store, the default: every event that retention has kept; ring: only the newest, as agent-webkit's own server. */
  readonly replay?: "store" | "ring";
  /** How many of the newest events count as kept where `replay` is ring; 1000 by default. */
  readonly ringSize?: number;
}

const RING_SIZE = 1000;

/**
 * Where a stream starts, by agent-webkit's rules: without an id, or with 0, at the oldest event there
 * is; an id of an event that is gone, or not there yet, cannot be gone on from.
 */
export function webkitPositionFrom(
  lastEventId: string | undefined,
  log: Pick<ReadableLog, "head" | "oldest">,
  options: WebkitOptions = {},
): Result<number> {
  const { head } = log;
  const { replay = "store", ringSize = RING_SIZE } = options;
  const oldest = replay === "ring" ? Math.max(log.oldest, head - ringSize + 1) : log.oldest;
  const text = lastEventId ?? "";
  if (!/^[0-9]*$/.test(text)) {
    return rejected("invalid_cursor", "Last-Event-ID must be a non-negative integer");
  }
  const after = Number(text);
  if (after === 0) return accepted(oldest - 1);
  if (after >= oldest - 1 && after <= head) return accepted(after);
  const reason =
    after > head
      ? `is beyond the log; newest available is ${head}`
      : `evicted; oldest available is ${oldest}`;
  return rejected("cursor_gone", `Last-Event-ID ${shown(text)} ${reason}`, { oldest, head });
}

function shown(id: string): string {
  return id.length > 20 ? `${id.slice(0, 20)}…` : id;
}

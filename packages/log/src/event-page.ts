import type { StoredEvent } from "./store.ts";

/** What a page may hold; `from` is an index. */
export interface PageLimits {
  readonly from?: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** The events from an index on that fit the limits, but at least one where there is one and `limit` allows it. */
export function eventsWithin(
  events: readonly StoredEvent[],
  { from = 0, limit, maxBytes }: PageLimits,
): StoredEvent[] {
  const end = Math.min(events.length, from + limit);
  let to = from;
  let bytes = 0;
  for (; to < end; to += 1) {
    bytes += events[to]?.json.length ?? 0;
    if (to > from && bytes > maxBytes) break;
  }
  return events.slice(from, to);
}

/**
 * What events cost to handle. Counted in UTF-16 units, which for JSON text is close enough to bytes
 * and, unlike them, known without looking at the text.
 */
export function bytesOf(events: readonly StoredEvent[]): number {
  let bytes = 0;
  for (const event of events) bytes += event.json.length;
  return bytes;
}

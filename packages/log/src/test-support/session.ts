import type { SessionRecord } from "../session-record.ts";
import type { StoredEvent } from "../store.ts";

/** Longer than any test takes: on a busy machine a second is over before the next append. */
export const LEASE_MS = 600_000;

/** The record of a new session. */
export function recordOf(sessionId: string): SessionRecord {
  return {
    sessionId,
    owner: "ann",
    epoch: "first",
    runtime: "demo",
    options: {},
    status: "live",
    activity: "idle",
    cwd: "/work",
    createdAt: "2026-11-15T09:00:00.000Z",
    updatedAt: "2026-11-15T09:00:00.000Z",
    head: 0,
    trimmed: 0,
  };
}

/** Events `first` to `last`; the bytes follow from the seq, so any process knows them. */
export function eventsFrom(first: number, last: number, size = 20): StoredEvent[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const seq = first + index;
    const text = `${seq} `.repeat(size);
    return { seq, type: "delta", json: JSON.stringify({ seq, type: "delta", data: { text } }) };
  });
}

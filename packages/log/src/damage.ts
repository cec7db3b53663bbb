import { type SessionEvent, type WireError, wireError } from "@turnwire/protocol";
import type { StoredEvent } from "./store.ts";
import type { DamagedRange } from "./store-error.ts";
import { logDamaged } from "./store/refusal.ts";

/** Why no more of a damaged session can be read, and why it takes no commands. */
export function damagedError(range: DamagedRange | undefined): WireError {
  const rest = "What is whole can be read; the session can only be deleted.";
  if (!range) {
    return wireError("session_damaged", `What the store has of the session is damaged. ${rest}`);
  }
  const { first, last } = range;
  const message = `Of the session's events ${first} to ${last} at least one is missing or not what was written. ${rest}`;
  return wireError("session_damaged", message, { first_seq: first, last_seq: last });
}

/** An event as it was written; throws a StoreError `damaged` when its text is not JSON. */
export function eventFrom(sessionId: string, { seq, json }: StoredEvent): SessionEvent {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw logDamaged(sessionId, { first: seq, last: seq }, error);
  }
}

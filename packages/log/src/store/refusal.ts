import type { AppendBatch } from "../store.ts";
import { type DamagedRange, StoreError } from "../store-error.ts";

/** What a store must know of a session to judge a write. */
export interface WritePosition {
  readonly sessionId: string;
  /** The newest generation; undefined once it was released or its holder died. */
  readonly generation: number | undefined;
  readonly head: number;
  readonly trimmed: number;
}

/** Why an append must not happen, or undefined when it may. */
export function appendRefusal(position: WritePosition, batch: AppendBatch): StoreError | undefined {
  if (position.generation !== batch.generation) return leaseLost(position, batch.generation);
  let expected = position.head + 1;
  for (const event of batch.events) {
    if (event.seq !== expected) return notContiguous(position, expected, event.seq);
    expected += 1;
  }
  return undefined;
}

/** For an event that does not follow the one before it. */
export function notContiguous(
  { sessionId }: Pick<WritePosition, "sessionId">,
  expected: number,
  seq: number,
): StoreError {
  return new StoreError(
    "not_contiguous",
    `session ${sessionId} expects seq ${expected}, not ${seq}`,
  );
}

/** Why a trim must not happen, or undefined when it may. */
export function trimRefusal(position: WritePosition, seq: number): StoreError | undefined {
  if (seq >= position.trimmed && seq <= position.head) return undefined;
  return new StoreError(
    "not_contiguous",
    `session ${position.sessionId} can be trimmed from ${position.trimmed} to ${position.head}, not to ${seq}`,
  );
}

/** For a write by a generation that is not, or no longer, the one with the lease. */
export function leaseLost(
  position: Pick<WritePosition, "sessionId" | "generation">,
  generation: number,
): StoreError {
  const { generation: newest } = position;
  const now = newest === undefined ? "released or its time has run out" : `at ${newest}`;
  return new StoreError(
    "lease_lost",
    `generation ${generation} may no longer write to session ${position.sessionId}: its lease is ${now}`,
  );
}

/** For what needs a session that is not there. */
export function sessionUnknown(sessionId: string): StoreError {
  return new StoreError("session_unknown", `there is no session ${sessionId}`);
}

/** For a second creation of the same id. */
export function sessionExists(sessionId: string): StoreError {
  return new StoreError("session_exists", `there is a session ${sessionId} already`);
}

/** For a batch with a client message id that the session has taken before. */
export function inputExists(sessionId: string, clientMessageId: string): StoreError {
  return new StoreError(
    "input_exists",
    `session ${sessionId} already has an input ${clientMessageId}`,
  );
}

/** For an entry of an inbox that does not wait for an answer. */
export function entryAnswered(sessionId: string, entryId: string): StoreError {
  return new StoreError(
    "entry_answered",
    `the inbox of session ${sessionId} has no entry ${entryId} that waits for an answer`,
  );
}

/** For every call after close. */
export function storeClosed(): StoreError {
  return new StoreError("unavailable", "the store is closed");
}

/** For an attachment that the store does not have, or not for this session. */
export function attachmentUnknown(sessionId: string, digest: string): StoreError {
  return new StoreError("attachment_unknown", `session ${sessionId} has no attachment ${digest}`);
}

/** For an attachment whose bytes are not what was written. */
export function attachmentDamaged(sessionId: string, digest: string): StoreError {
  return new StoreError(
    "corrupt",
    `attachment ${digest} of session ${sessionId} is missing or not what was written: restore the store from a backup`,
  );
}

/** For events of one session that are missing or not what was written. */
export function logDamaged(sessionId: string, range: DamagedRange, cause?: unknown): StoreError {
  const { first, last } = range;
  const events = first === last ? `event ${first}` : `one of the events ${first} to ${last}`;
  return new StoreError(
    "damaged",
    `${events} of session ${sessionId} is missing or not what was written: restore the store from a backup`,
    { range, cause },
  );
}

/** For a session whose record cannot be read. */
export function recordDamaged(sessionId: string): StoreError {
  return new StoreError(
    "damaged",
    `the record of session ${sessionId} is not what was written: restore the store from a backup`,
  );
}

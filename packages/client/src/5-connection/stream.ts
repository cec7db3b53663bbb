import type { ClientError } from "./client-error.ts";
import type { Batch, Verdict } from "./connection-state.ts";

/** Where a reader stands in a log. */
export interface Cursor {
  readonly after: number;
  readonly epoch?: string;
}

/**
 * Takes what a stream brings: the verdict first, then batches, then one end.
 * Never rejects; the stream reads on when a call has resolved.
 */
export interface StreamReceiver {
  opened(verdict: Verdict): Promise<void>;
  received(batch: Batch): Promise<void>;
  ended(): Promise<void>;
  failed(error: ClientError): Promise<void>;
}

/** Opens one stream of a session's events; the answer lets go of it, and then nothing more comes. */
export type OpenStream = (cursor: Cursor, receiver: StreamReceiver) => () => void;

import type { ClientError } from "./client-error.ts";
import type { SessionEvent } from "@turnwire/protocol";
import type { Batch, Sequenced, StreamVerdict } from "./connection-state.ts";

/** Where a reader stands in a log. */
export interface Cursor {
  readonly after: number;
  readonly epoch?: string;
}

/**
 * Takes what a stream brings: the verdict first, then batches, then one end.
 * Never rejects; the stream reads on when a call has resolved.
 */
export interface StreamReceiver<Event extends Sequenced = SessionEvent> {
  opened(verdict: StreamVerdict): Promise<void>;
  received(batch: Batch<Event>): Promise<void>;
  ended(): Promise<void>;
  failed(error: ClientError): Promise<void>;
}

/** Opens one stream; the answer lets go of it, and then nothing more comes. */
export type OpenStream<Event extends Sequenced = SessionEvent> = (
  cursor: Cursor,
  receiver: StreamReceiver<Event>,
) => () => void;

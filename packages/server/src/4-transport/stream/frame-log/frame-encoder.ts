import type { StoredEvent } from "@turnwire/log";
import type { Encoding, Frame, StatefulDialect, StatelessDialect } from "@turnwire/wire";
import type { FoldedEvent } from "./folded-log.ts";

export function encodeStored(
  dialect: StatelessDialect,
  encoding: Encoding,
  sessionId: string,
): (event: StoredEvent) => Buffer {
  return (event) => encodeFrames(encoding, event.seq, dialect.frames(event, sessionId));
}

export function encodeFolded(
  dialect: StatefulDialect,
  encoding: Encoding,
): (event: FoldedEvent) => Buffer {
  return ({ seq, before, event }) => encodeFrames(encoding, seq, dialect.frames(before, event));
}

/** Frames of one position: only the last carries it, so a reader that was cut before it gets all again. */
export function encodeFrames(encoding: Encoding, seq: number, frames: readonly Frame[]): Buffer {
  const last = frames.length - 1;
  const encoded = frames.map((frame, index) =>
    encoding.encode(index === last ? seq : undefined, frame),
  );
  return encoded.length === 1 && encoded[0] ? encoded[0] : Buffer.concat(encoded);
}

import { accepted, type Result, wireError } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { StatefulDialect } from "../../3-dialect/dialect.ts";
import { sse } from "../stream/encoding/sse.ts";
import { encodeFrames } from "../stream/frame-log/frame-encoder.ts";

/** What a reader that joins late gets first, and the position that it has then. */
export interface Opening {
  readonly bytes: Buffer;
  readonly after: number;
}

/** It is held in memory until its reader has taken it. */
const MAX_OPENING_BYTES = 64 * 1024 * 1024;

export async function openingOf(
  session: OpenSession,
  dialect: StatefulDialect,
): Promise<Result<Opening>> {
  const { seq: after, state } = await session.snapshot();
  const bytes = encodeFrames(sse, after, dialect.opening(state));
  if (bytes.length <= MAX_OPENING_BYTES) return accepted({ bytes, after });
  const message = `The opening of this session is larger than ${MAX_OPENING_BYTES} bytes: follow it from the beginning instead.`;
  const details = { bytes: bytes.length, limit: MAX_OPENING_BYTES };
  return { ok: false, error: wireError("payload_too_large", message, details) };
}

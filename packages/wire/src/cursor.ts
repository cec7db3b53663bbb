import type { IncomingMessage } from "node:http";
import { accepted, rejected, type Result } from "@turnwire/protocol";
import type { ReadableLog } from "@turnwire/log";
import { gapError } from "./gap.ts";

/** Where a reader stands: it has every event up to and with `after`. */
export interface Cursor {
  readonly after: number;
  readonly epoch?: string;
}

const POSITION = /^(?:0|[1-9][0-9]{0,15})$/;

/** Reads `Last-Event-ID` or `?after`; the header wins. */
export function cursorFrom(incoming: IncomingMessage, query: URLSearchParams): Result<Cursor> {
  const header = incoming.headers["last-event-id"];
  const name = header === undefined ? "after" : "Last-Event-ID";
  const given = header === undefined ? query.getAll("after") : [header].flat();
  const epochs = query.getAll("epoch");
  const [text = "0"] = given;
  const after = Number(text);
  if (given.length > 1 || !POSITION.test(text) || !Number.isSafeInteger(after)) {
    const message = `${name} must be one whole number from 0 to 2^53-1 without sign, blanks or leading zeros.`;
    return rejected("invalid_cursor", message);
  }
  if (epochs.length > 1) return rejected("invalid_cursor", "epoch must be given once.");
  return accepted(epochs[0] === undefined ? { after } : { after, epoch: epochs[0] });
}

/**
 * Waits for what is on its way into the store when a reader is ahead of it: on another host it may
 * have read events that this one has written and not yet published.
 */
export async function catchUpWith(
  log: Pick<ReadableLog, "head" | "settled">,
  after: number,
): Promise<void> {
  if (after > log.head) await log.settled;
}

/** The position after which a reader resumes, or the error of a reader that cannot resume there. */
export async function resumePosition(
  log: Pick<ReadableLog, "head" | "settled" | "verdict">,
  { after, epoch }: Cursor,
): Promise<Result<number>> {
  await catchUpWith(log, after);
  const gap = gapError(log.verdict(after, epoch));
  return gap ? { ok: false, error: gap } : accepted(after);
}

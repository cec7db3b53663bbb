import { wireError, type WireError } from "@turnwire/protocol";
import { type CursorVerdict, damagedError } from "@turnwire/log";

/** What a reader receives that cannot resume where it stopped; undefined when it can. */
export function gapError(verdict: CursorVerdict): WireError | undefined {
  if (verdict.type === "resumed") return undefined;
  if (verdict.type === "damaged") return damagedError(verdict.range);
  const { oldest, head, epoch } = verdict;
  const message = `The log cannot be resumed from there: it has events ${oldest} to ${head}; take a snapshot.`;
  return wireError("cursor_gone", message, { oldest, head, epoch });
}

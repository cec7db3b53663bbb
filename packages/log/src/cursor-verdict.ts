import type { CursorVerdict } from "./readable-log.ts";
import type { DamagedRange } from "./store-error.ts";

/** What a log knows of where it can be read. */
export interface LogExtent {
  readonly epoch: string;
  /** Events up to and with this seq have been removed by retention. */
  readonly trimmed: number;
  readonly head: number;
  /** Events that cannot be read. */
  readonly damage: DamagedRange | undefined;
}

/** Whether a reader that has everything up to `after` can continue. */
export function cursorVerdict(
  { epoch: own, trimmed, head, damage }: LogExtent,
  after: number,
  epoch?: string,
): CursorVerdict {
  const isKnown = epoch === undefined || epoch === own;
  if (isKnown && damage && isStoppedBy(damage, after, head)) {
    return { type: "damaged", range: damage };
  }
  if (isKnown && after >= trimmed && after <= head) return { type: "resumed" };
  return { type: "gap", oldest: trimmed + 1, head, epoch: own };
}

/** A reader that is past the damage continues where the log itself does. */
function isStoppedBy({ first, last }: DamagedRange, after: number, head: number): boolean {
  return after >= first - 1 && (after < last || head < first);
}

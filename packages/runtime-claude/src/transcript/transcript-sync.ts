import type { TranscriptLine } from "@turnwire/log";

export type TranscriptLines = readonly TranscriptLine[];

/** What makes the store and this machine agree about a transcript before it is continued here. */
export type SyncPlan =
  /** Neither has it. */
  | { readonly type: "missing" }
  | { readonly type: "same" }
  /** This machine has more, such as what was said in a terminal. */
  | { readonly type: "push"; readonly lines: TranscriptLines }
  /** The store has what this machine has not. If each has something of its own, the store is right: others have continued from it. */
  | { readonly type: "pull"; readonly isDiverged: boolean };

/** Transcripts only grow, so the ids of their lines show which one is ahead. */
export function planSync(
  local: TranscriptLines | undefined = [],
  stored: TranscriptLines | undefined = [],
): SyncPlan {
  if (stored.length === 0) {
    return local.length === 0 ? { type: "missing" } : { type: "push", lines: local };
  }
  const localIds = idsOf(local);
  const storedIds = idsOf(stored);
  if (local.length === 0 || !isWithin(storedIds, localIds)) {
    return { type: "pull", isDiverged: !isWithin(localIds, storedIds) };
  }
  const last = local.findLastIndex(({ id }) => id !== undefined && storedIds.has(id));
  const rest = local.slice(last + 1);
  return rest.some(({ id }) => id !== undefined) ? { type: "push", lines: rest } : { type: "same" };
}

function idsOf(lines: TranscriptLines): Set<string> {
  return new Set(lines.flatMap(({ id }) => (id === undefined ? [] : [id])));
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((id) => whole.has(id));
}

import { createHash } from "node:crypto";
import { AuditEntry } from "@turnwire/protocol";
import { jsonFrom } from "@turnwire/log/list";
import * as z from "zod";
import type { AuditText } from "./audit-log.ts";

/** The last entry, beside the log: a line that is missing at its end shows too. */
export const AuditMark = z.object({ seq: z.int(), hash: z.string() });
export type AuditMark = z.infer<typeof AuditMark>;

export interface CheckedAudit {
  readonly entries: readonly AuditEntry[];
  /** The first line that was removed, changed or cannot be read, as a sentence. */
  readonly problem?: string;
}

/** The line of an entry: the hash covers everything before it, the hash of the entry before among it. */
export function lineOf(entry: Omit<AuditEntry, "hash">): { line: string; hash: string } {
  const hash = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
  return { line: JSON.stringify({ ...entry, hash }), hash };
}

export function checkAudit({ lines, mark }: AuditText): CheckedAudit {
  const entries: AuditEntry[] = [];
  let problem: string | undefined;
  let previous = "";
  let expected = 1;
  for (const [index, line] of lines.split("\n").entries()) {
    if (line === "") continue;
    const parsed = AuditEntry.safeParse(jsonFrom(line));
    if (!parsed.success) {
      problem ??= `Line ${index + 1} cannot be read.`;
      continue;
    }
    const { hash, ...entry } = parsed.data;
    if (lineOf(entry).line !== line || lineOf(entry).hash !== hash) {
      problem ??= `Entry ${entry.seq} was changed.`;
    } else if (entry.seq !== expected || entry.previous !== previous) {
      problem ??= `Before entry ${entry.seq} something was removed or changed.`;
    }
    entries.push(parsed.data);
    previous = hash;
    expected = entry.seq + 1;
  }
  problem ??= markProblem(entries, mark);
  return problem === undefined ? { entries } : { entries, problem };
}

/** A crash may leave entries after the mark, never a mark without its entry. */
function markProblem(entries: readonly AuditEntry[], text: string | undefined): string | undefined {
  const mark = text === undefined ? undefined : AuditMark.safeParse(jsonFrom(text));
  if (!mark) return entries.length > 1 ? "The mark of the last entry is missing." : undefined;
  if (!mark.success) return "The mark of the last entry cannot be read.";
  const { seq, hash } = mark.data;
  if (entries.some((entry) => entry.seq === seq && entry.hash === hash)) return undefined;
  return `Entry ${seq}, the last one, was removed.`;
}

import type { RecordPatch, SessionRecord } from "../../session-record.ts";
import { factsFromPatch, originFromRecord, recordFromParts } from "../record-parts.ts";
import type { SqlRow, SqlValue } from "./database.ts";

/** The columns that `recordFromRow` reads, of turnwire.sessions AS s and turnwire.heads AS h. */
export const recordColumns = `s.session_id, s.owner, s.epoch, s.status, s.activity, s.updated_at,
  s.is_partial, s.origin, s.facts, h.head, h.trimmed`;

/** As the table's columns are declared; the JSON in them may be damaged. */
export interface RecordRow extends SqlRow {
  readonly session_id: string;
  readonly owner: string;
  readonly epoch: string;
  readonly status: string;
  readonly activity: string;
  readonly updated_at: string;
  readonly is_partial: boolean;
  readonly origin: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly head: number;
  readonly trimmed: number;
}

/** A row as the record it was made from. */
export function recordFromRow(row: RecordRow): SessionRecord {
  const { status, activity, origin } = row;
  const place = {
    sessionId: row.session_id,
    epoch: row.epoch,
    updatedAt: row.updated_at,
    head: row.head,
    trimmed: row.trimmed,
    ...(row.is_partial && { isPartial: true }),
  };
  const facts = factsFromRow(row.facts);
  return recordFromParts({ place, owner: ownerFromRow(row), status, activity, origin, facts });
}

/** The name as `columnsFromRecord` wrote it, as JSON; where that is damaged, the text as it is. */
export function ownerFromRow({ owner }: Pick<RecordRow, "owner">): string {
  try {
    return JSON.parse(owner);
  } catch {
    return owner;
  }
}

function factsFromRow(facts: RecordRow["facts"]): string {
  const fields = Object.entries(facts).map(
    ([name, text]) => `${JSON.stringify(name)}:${String(text)}`,
  );
  return `{${fields.join(",")}}`;
}

/** The optional fields as a JSON object of JSON texts; null takes one away. */
function factColumn(patch: RecordPatch | SessionRecord): string {
  const texts = Object.entries(factsFromPatch(patch)).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, value === null ? null : JSON.stringify(value)] as const];
  });
  return JSON.stringify(Object.fromEntries(texts));
}

/** Of a new record: session_id, owner, epoch, status, activity, updated_at, is_partial, storage, origin, facts. */
export function columnsFromRecord(record: SessionRecord): SqlValue[] {
  const { sessionId, owner, epoch, status, activity, updatedAt, isPartial = false } = record;
  const place = [sessionId, JSON.stringify(owner), epoch, status, activity, updatedAt, isPartial];
  const storage = record.storage === undefined ? null : JSON.stringify(record.storage);
  return [...place, storage, originFromRecord(record), factColumn(record)];
}

/** Of a patch: status, activity, updated_at, whether it stops being partial, facts. */
export function columnsFromPatch(patch: RecordPatch): SqlValue[] {
  const { status = null, activity = null, updatedAt = null, isPartial } = patch;
  return [status, activity, updatedAt, isPartial === null, factColumn(patch)];
}

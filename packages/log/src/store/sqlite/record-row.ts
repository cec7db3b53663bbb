import type { RecordPatch, SessionRecord } from "../../session-record.ts";
import { factsFromPatch, recordFromParts } from "../record-parts.ts";
import type { SqlRow, SqlValue } from "./driver.ts";

/** Selects what `recordFromRow` reads; a WHERE or ORDER BY may follow. */
export const selectRecord = `
  SELECT session_id, epoch, status, activity, updated_at, head, trimmed, facts, origins.json,
    json_quote(owner)
  FROM sessions LEFT JOIN origins USING (session_key)`;

/** The order and types of selectRecord, as columnsFromRecord wrote them; the texts may be damaged. */
type RecordColumns = readonly [
  string,
  string,
  string,
  string,
  string,
  number,
  number,
  string,
  string | null,
  string,
];

/** A row of `selectRecord` as the record it was made from. */
export function recordFromRow(row: SqlRow): SessionRecord {
  const [sessionId, epoch, status, activity, updatedAt, head, trimmed, facts, origin, owner] =
    row as RecordColumns;
  const place = { sessionId, epoch, updatedAt, head, trimmed };
  return recordFromParts({ place, owner: JSON.parse(owner), status, activity, origin, facts });
}

/** The optional fields as JSON: a merge patch (RFC 7396), as SQLite's json_patch applies it. */
export function mergePatchFrom(patch: RecordPatch | SessionRecord): string {
  return JSON.stringify({ ...factsFromPatch(patch), isPartial: patch.isPartial });
}

/** A new record in the order of the columns of `insertSession`. */
export function columnsFromRecord(record: SessionRecord, generation: number): SqlValue[] {
  const { sessionId, owner, epoch, status, activity, updatedAt } = record;
  return [sessionId, owner, epoch, generation, status, activity, updatedAt, mergePatchFrom(record)];
}

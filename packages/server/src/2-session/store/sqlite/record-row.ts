import type { SessionActivity, SessionStatus } from "@turnwire/protocol";
import type { RecordPatch, SessionRecord } from "../../store.ts";
import type { SqlRow, SqlValue } from "./driver.ts";

type Origin = Pick<SessionRecord, "owner" | "runtime" | "options" | "cwd" | "createdAt">;
type Facts = Pick<
  SessionRecord,
  "title" | "model" | "permissionMode" | "providerSessionId" | "isPartial"
>;

/** Selects what `recordFromRow` reads; a WHERE or ORDER BY may follow. */
export const selectRecord = `
  SELECT session_id, epoch, status, activity, updated_at, head, trimmed, facts, origins.json
  FROM sessions JOIN origins USING (session_key)`;

/** A row of `selectRecord` as the record it was made from. */
export function recordFromRow(row: SqlRow): SessionRecord {
  // The order and types of selectRecord, as columnsFromRecord wrote them.
  const [sessionId, epoch, status, activity, updatedAt, head, trimmed, facts, origin] =
    row as readonly [
      string,
      string,
      SessionStatus,
      SessionActivity,
      string,
      number,
      number,
      string,
      string,
    ];
  const parsedOrigin: Origin = JSON.parse(origin);
  const parsedFacts: Facts = JSON.parse(facts);
  return {
    sessionId,
    epoch,
    status,
    activity,
    updatedAt,
    head,
    trimmed,
    ...parsedOrigin,
    ...parsedFacts,
  };
}

/** The part of a record that never changes, as JSON. */
export function originFromRecord(record: SessionRecord): string {
  const { owner, runtime, options, cwd, createdAt } = record;
  return JSON.stringify({ owner, runtime, options, cwd, createdAt } satisfies Origin);
}

/** The optional fields as JSON: a merge patch (RFC 7396), as SQLite's json_patch applies it. */
export function factsFromPatch(patch: RecordPatch | SessionRecord): string {
  const { title, model, permissionMode, providerSessionId, isPartial } = patch;
  return JSON.stringify({ title, model, permissionMode, providerSessionId, isPartial });
}

/** A new record in the order of the columns of `insertSession`. */
export function columnsFromRecord(record: SessionRecord, generation: number): SqlValue[] {
  const { sessionId, owner, epoch, status, activity, updatedAt } = record;
  return [sessionId, owner, epoch, generation, status, activity, updatedAt, factsFromPatch(record)];
}

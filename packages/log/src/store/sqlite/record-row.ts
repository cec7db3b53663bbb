import { SessionActivity, SessionStatus } from "@turnwire/protocol";
import type { RecordPatch, SessionRecord } from "../../store.ts";
import type { SqlRow, SqlValue } from "./driver.ts";

type Origin = Pick<
  SessionRecord,
  "owner" | "runtime" | "options" | "cwd" | "worktree" | "createdAt"
>;
type Facts = Pick<
  SessionRecord,
  | "title"
  | "model"
  | "effort"
  | "permissionMode"
  | "policyMode"
  | "providerSessionId"
  | "systemPrompt"
  | "isPartial"
>;

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

/** A row of `selectRecord` as the record it was made from; one damaged row must not hide the others. */
export function recordFromRow(row: SqlRow): SessionRecord {
  const [sessionId, epoch, status, activity, updatedAt, head, trimmed, facts, origin, owner] =
    row as RecordColumns;
  const place = { sessionId, epoch, updatedAt, head, trimmed };
  const knownStatus = SessionStatus.safeParse(status);
  const knownActivity = SessionActivity.safeParse(activity);
  // As originFromRecord and factsFromPatch wrote them.
  const parsedOrigin = parsed(origin) as Origin | undefined;
  const parsedFacts: Facts | undefined = parsed(facts);
  if (knownStatus.success && knownActivity.success && parsedOrigin && parsedFacts) {
    const state = { status: knownStatus.data, activity: knownActivity.data };
    return { ...place, ...state, ...parsedOrigin, ...parsedFacts };
  }
  return {
    runtime: "unknown",
    options: {},
    cwd: "",
    createdAt: updatedAt,
    ...parsedOrigin,
    ...parsedFacts,
    ...place,
    owner: JSON.parse(owner),
    status: knownStatus.data ?? "hibernated",
    activity: "idle",
    isDamaged: true,
  };
}

/** Undefined when the text is not the JSON object that was written. */
function parsed(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The part of a record that never changes, as JSON. */
export function originFromRecord(record: SessionRecord): string {
  const { owner, runtime, options, cwd, worktree, createdAt } = record;
  return JSON.stringify({
    owner,
    runtime,
    options,
    cwd,
    ...(worktree && { worktree }),
    createdAt,
  } satisfies Origin);
}

/** The optional fields as JSON: a merge patch (RFC 7396), as SQLite's json_patch applies it. */
export function factsFromPatch(patch: RecordPatch | SessionRecord): string {
  const { title, model, effort, permissionMode, policyMode } = patch;
  const { providerSessionId, systemPrompt, isPartial } = patch;
  return JSON.stringify({
    title,
    model,
    effort,
    permissionMode,
    policyMode,
    providerSessionId,
    systemPrompt,
    isPartial,
  });
}

/** A new record in the order of the columns of `insertSession`. */
export function columnsFromRecord(record: SessionRecord, generation: number): SqlValue[] {
  const { sessionId, owner, epoch, status, activity, updatedAt } = record;
  return [sessionId, owner, epoch, generation, status, activity, updatedAt, factsFromPatch(record)];
}

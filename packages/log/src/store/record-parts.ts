import { SessionActivity, SessionStatus } from "@turnwire/protocol";
import type { RecordPatch, SessionRecord } from "../session-record.ts";

type Origin = Pick<
  SessionRecord,
  "owner" | "runtime" | "options" | "cwd" | "storage" | "worktree" | "createdAt"
>;

/** The part of a record that never changes, as JSON. */
export function originFromRecord(record: SessionRecord): string {
  const { owner, runtime, options, cwd, storage, worktree, createdAt } = record;
  return JSON.stringify({
    owner,
    runtime,
    options,
    cwd,
    ...(storage !== undefined && { storage }),
    ...(worktree && { worktree }),
    createdAt,
  } satisfies Origin);
}

/** The fields that a record may lack; in a patch null takes one away and undefined leaves it. */
export function factsFromPatch(patch: RecordPatch | SessionRecord) {
  const { title, model, effort, permissionMode, policyMode } = patch;
  const { providerSessionId, systemPrompt } = patch;
  return { title, model, effort, permissionMode, policyMode, providerSessionId, systemPrompt };
}

/** A record as SQL stores read it; every text may be damaged. */
export interface RecordParts {
  readonly place: Pick<
    SessionRecord,
    "sessionId" | "epoch" | "updatedAt" | "head" | "trimmed" | "isPartial"
  >;
  readonly owner: string;
  readonly status: string;
  readonly activity: string;
  /** As `originFromRecord` wrote it. */
  readonly origin: string | null;
  /** JSON of an object with the fields of `factsFromPatch`. */
  readonly facts: string;
}

/** The record that the parts were made from; one that is damaged must not hide the others. */
export function recordFromParts(parts: RecordParts): SessionRecord {
  const { place, owner } = parts;
  const status = SessionStatus.safeParse(parts.status);
  const activity = SessionActivity.safeParse(parts.activity);
  // The stores write nothing else there.
  const origin = objectFrom(parts.origin) as Origin | undefined;
  const facts = objectFrom(parts.facts);
  if (status.success && activity.success && origin && facts) {
    return { ...place, status: status.data, activity: activity.data, ...origin, ...facts };
  }
  return {
    runtime: "unknown",
    options: {},
    cwd: "",
    createdAt: place.updatedAt,
    ...origin,
    ...facts,
    ...place,
    owner,
    status: status.data ?? "hibernated",
    activity: "idle",
    isDamaged: true,
  };
}

/** Undefined when the text is not JSON of an object. */
function objectFrom(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

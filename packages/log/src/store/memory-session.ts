import type { ListPosition, RecordPatch, SessionFilter, SessionRecord } from "../session-record.ts";
import type {
  AppendBatch,
  BaseState,
  StoredAttachment,
  StoredEvent,
  StoredInput,
} from "../store.ts";
import type { SaidMessages } from "../search/search-memory.ts";
import { inputExists } from "./refusal.ts";

/** A session of a memory store. */
export interface StoredSession {
  record: SessionRecord;
  /** The newest generation ever given. */
  generation: number;
  /** Who has the lease; undefined once it was released. */
  holder: string | undefined;
  /** Starts at seq trimmed + 1. */
  events: StoredEvent[];
  readonly inputs: Map<string, StoredInput>;
  readonly attachments: Map<string, StoredAttachment>;
  readonly said: SaidMessages;
  base: BaseState | undefined;
}

/** Whether a session without a living holder needs one; a session with its first event alone never had an agent. */
export function isUnsettled({ isPartial, activity, status, head }: SessionRecord): boolean {
  return isPartial === true || activity !== "idle" || (status === "live" && head > 1);
}

/** Why the inputs of a batch cannot be added, or undefined when they can. */
export function inputRefusal(kept: StoredSession, batch: AppendBatch) {
  const seen = new Set<string>();
  for (const { clientMessageId } of batch.inputs ?? []) {
    if (kept.inputs.has(clientMessageId) || seen.has(clientMessageId)) {
      return inputExists(batch.sessionId, clientMessageId);
    }
    seen.add(clientMessageId);
  }
  return undefined;
}

/** The records that a filter lets pass, in the order of lists. */
export function listRecords(
  records: readonly SessionRecord[],
  filter: SessionFilter,
): SessionRecord[] {
  const { owner, status, activity, isPartial = false, limit, after } = filter;
  const isOwned = (record: SessionRecord) => owner === undefined || record.owner === owner;
  return records
    .filter(
      (record) =>
        isOwned(record) &&
        (record.isPartial ?? false) === isPartial &&
        (status === undefined || record.status === status) &&
        (activity === undefined || record.activity === activity) &&
        (after === undefined || compareListed(after, record) < 0),
    )
    .toSorted(compareListed)
    .slice(0, limit);
}

/** The order of lists: newest update first, then highest id first. */
export function compareListed(left: ListPosition, right: ListPosition): number {
  if (left.updatedAt !== right.updatedAt) return left.updatedAt < right.updatedAt ? 1 : -1;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? 1 : -1;
}

const removable = [
  "title",
  "model",
  "effort",
  "permissionMode",
  "policyMode",
  "providerSessionId",
] as const;

export function patchedRecord(record: SessionRecord, patch: RecordPatch): SessionRecord {
  const { title, model, effort, permissionMode, policyMode, providerSessionId, ...others } = patch;
  const { isPartial, ...plain } = others;
  const next: { -readonly [Field in keyof SessionRecord]: SessionRecord[Field] } = {
    ...record,
    ...plain,
  };
  const optional = { title, model, effort, permissionMode, policyMode, providerSessionId };
  if (isPartial === null) delete next.isPartial;
  for (const field of removable) {
    const value = optional[field];
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value;
  }
  return next;
}

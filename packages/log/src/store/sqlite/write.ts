import type { SessionRecord } from "../../session-record.ts";
import type { HostDescription, HostRecord, OrphanQuery } from "../../host-registry.ts";
import type { InboxAnswer, InboxEntry } from "../../inbox.ts";
import type { AppendBatch, Lease, LeaseRequest } from "../../store.ts";
import type { StoreErrorCode } from "../../store-error.ts";
import type { TranscriptKey, TranscriptLine } from "../../transcripts.ts";
import type { EventRow } from "./event-row.ts";

/** A batch with its events packed: a few long texts cross threads for less than many objects. */
export type PackedBatch = Omit<AppendBatch, "events"> & { readonly events: readonly EventRow[] };

/** Everything that changes the database or the leases, by type, as it travels to the writer thread. */
interface Writes extends RegistryWrites {
  create: { readonly record: SessionRecord; readonly holder: string; readonly ttlMs: number };
  acquire: LeaseRequest;
  /** For a session without a lease, whatever state it is in. */
  remove: { readonly sessionId: string };
  release: { readonly sessionId: string; readonly generation: number };
  append: { readonly batch: PackedBatch };
  delete: { readonly sessionId: string; readonly generation: number };
  /** Changes nothing that anybody sees, but has to reach the disk like any other write. */
  probe: object;
  trim: {
    readonly sessionId: string;
    readonly generation: number;
    readonly seq: number;
    /** The base state as JSON. */
    readonly state: string;
  };
  purge_deleted: { readonly olderThanMs: number };
  append_transcript: {
    readonly sessionId: string;
    readonly generation: number;
    readonly key: TranscriptKey;
    readonly lines: readonly TranscriptLine[];
  };
  put_entry: Omit<InboxEntry, "begunIn">;
  begin_entry: {
    readonly sessionId: string;
    readonly generation: number;
    readonly entryId: string;
  };
  answer_entry: {
    readonly sessionId: string;
    readonly generation: number;
    readonly answer: InboxAnswer;
  };
}

/** What concerns holders. The database knows nothing of them: they end with the process that has it open. */
interface RegistryWrites {
  renew: {
    readonly holder: string;
    readonly ttlMs: number;
    readonly description: HostDescription | undefined;
  };
  remove_holder: { readonly holder: string };
  find_living: { readonly holders: readonly string[] };
  list_hosts: object;
  list_orphans: OrphanQuery;
}

/** What each write answers when it was not refused. */
export interface WriteAnswers {
  create: Lease;
  acquire: Lease | undefined;
  remove: RemovedSession;
  /** Whether it was held by this generation. */
  release: boolean;
  append: undefined;
  delete: RemovedSession;
  probe: undefined;
  trim: undefined;
  purge_deleted: undefined;
  append_transcript: undefined;
  put_entry: undefined;
  begin_entry: undefined;
  answer_entry: undefined;
  renew: boolean;
  /** The ids of the sessions that it held. */
  remove_holder: readonly string[];
  find_living: readonly string[];
  list_hosts: HostRecord[];
  list_orphans: string[];
}

interface RemovedSession {
  readonly owner: string;
}

export type WriteType = keyof Writes;
export type WriteOf<Type extends WriteType> = { readonly type: Type } & Writes[Type];
export type Write = { [Type in WriteType]: WriteOf<Type> }[WriteType];
export type RegistryWrite = { [Type in keyof RegistryWrites]: WriteOf<Type> }[keyof RegistryWrites];
/** What happens in a transaction. */
export type StoredWrite = Exclude<Write, RegistryWrite>;

const registryTypes = {
  renew: true,
  remove_holder: true,
  find_living: true,
  list_hosts: true,
  list_orphans: true,
} as const satisfies Record<keyof RegistryWrites, true>;

export function isRegistryWrite(write: Write): write is RegistryWrite {
  return write.type in registryTypes;
}

export type WriteAnswer = WriteAnswers[WriteType];

/** A StoreError as it crosses threads. */
interface WriteRefusal {
  readonly code: StoreErrorCode;
  readonly message: string;
}

export type WriteOutcome = { readonly answer: WriteAnswer } | { readonly refusal: WriteRefusal };

export interface WriterOptions {
  readonly path: string;
  readonly durability: "durable" | "fast";
  readonly hasWal: boolean;
  /** An earlier thread of this process had the store open. */
  readonly isRestart: boolean;
}

/** What the writer thread receives. */
export type WriterRequest =
  | { readonly type: "write"; readonly writes: readonly Write[] }
  | { readonly type: "close" };

/** What the writer thread says: outcomes come in the order of the writes. */
export type WriterReport =
  | { readonly type: "ready" }
  | { readonly type: "outcomes"; readonly outcomes: readonly WriteOutcome[] }
  | { readonly type: "failed"; readonly refusal: WriteRefusal };

import type { AppendBatch, Lease, SessionRecord, StoreErrorCode } from "../../store.ts";
import type { EventRow } from "./event-row.ts";

/** A batch with its events packed: a few long texts cross threads for less than many objects. */
export type PackedBatch = Omit<AppendBatch, "events"> & { readonly events: readonly EventRow[] };

/** Everything that changes the database, by type, as it travels to the writer thread. */
interface Writes {
  create: { readonly record: SessionRecord };
  acquire: { readonly sessionId: string };
  /** For a session without a lease, whatever state it is in. */
  remove: { readonly sessionId: string };
  renew: { readonly sessionId: string; readonly generation: number };
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
}

/** What each write answers when it was not refused. */
export interface WriteAnswers {
  create: Lease;
  acquire: Lease | undefined;
  remove: undefined;
  renew: boolean;
  release: undefined;
  append: undefined;
  delete: undefined;
  probe: undefined;
  trim: undefined;
}

export type WriteType = keyof Writes;
export type WriteOf<Type extends WriteType> = { readonly type: Type } & Writes[Type];
export type Write = { [Type in WriteType]: WriteOf<Type> }[WriteType];
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

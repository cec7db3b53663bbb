/**
 * Something has happened in the store, in this process or another. Only a hint: it may come late, twice
 * or not at all, so whoever gets one reads, and reads now and then without one.
 */
export type StoreHint =
  /** A session has events at least up to `head`; `isRecordChanged` when lists show it differently. */
  | {
      readonly type: "events";
      readonly sessionId: string;
      readonly head: number;
      readonly isRecordChanged: boolean;
    }
  | { readonly type: "created"; readonly sessionId: string }
  | { readonly type: "removed"; readonly sessionId: string; readonly owner: string }
  /** No host holds it any more. */
  | { readonly type: "released"; readonly sessionId: string }
  | { readonly type: "inbox"; readonly sessionId: string }
  | { readonly type: "answer"; readonly entryId: string }
  /** A shared value has changed. */
  | { readonly type: "value"; readonly key: string }
  /** Hints may have been lost: look at everything again. */
  | { readonly type: "gap" };

export interface StoreHints {
  /** Called for what this process does too. The returned function ends it. */
  watch(onHint: (hint: StoreHint) => void): () => void;
  /** The newest seq of each session that there is, for those who look without a hint; deleted ones included while they can be read. */
  readHeads(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

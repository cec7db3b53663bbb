/** A counter that restarts when its time is up. */
export interface Counted {
  readonly count: number;
  readonly resetInMs: number;
}

/** A slot as its taker names it, so that one can be given back without knowing whether it was taken. */
export interface Slot {
  readonly id: string;
  /** As in leases: the slot is taken for as long as this holder lives. */
  readonly holder: string;
}

/**
 * Small things that all hosts of a store have in common and that belong to no session: login codes and
 * log-ins, counts of failures, run slots, rules. Keys are paths such as `login-code/4f2a`.
 */
export interface SharedValues {
  /** Undefined when there is none, or its time is up. */
  readValue(key: string): Promise<string | undefined>;
  /** All that are there under a prefix, by key. */
  listValues(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** With `onlyIf`, writes only while the value is that one (null: while there is none); false when it was not. */
  writeValue(
    key: string,
    value: string,
    options?: { readonly ttlMs?: number; readonly onlyIf?: string | null },
  ): Promise<boolean>;
  /** The value and removes it: of many who take it at once, one gets it. */
  takeValue(key: string): Promise<string | undefined>;
  /** Adds to a counter; with `by` 0 only looks at it. */
  count(key: string, windowMs: number, by?: number): Promise<Counted>;
  /** Takes one of `limit` slots of a pool; false when all are taken. Those of holders that died are free. */
  takeSlot(pool: string, slot: Slot, limit: number): Promise<boolean>;
  /** Gives a slot back, however often; watchers hear of it as the key `slot/<pool>`. */
  releaseSlot(pool: string, slotId: string): Promise<void>;
}

import type { SharedValues } from "../shared-values.ts";
import type { Store } from "../store.ts";

/** What all hosts of a store have in common, beside its sessions. */
export interface Sharing {
  /** Whether other processes may have the store open. */
  readonly isShared: boolean;
  readonly values: SharedValues;
  /** Calls when values under a prefix may have changed, here or on another host. The returned function ends it. */
  watch(prefix: string, onChange: () => void): () => void;
}

export function sharingOf(store: Pick<Store, "isShared" | "values" | "watch">): Sharing {
  return {
    isShared: store.isShared,
    values: store.values,
    watch: (prefix, onChange) =>
      store.watch((hint) => {
        if (hint.type === "gap" || (hint.type === "value" && hint.key.startsWith(prefix))) {
          onChange();
        }
      }),
  };
}

import type { AppendBatch, Store } from "../store.ts";

/** A store whose appends a test can delay or refuse; all else goes straight through. */
export function interceptAppends(
  store: Store,
  append: (batch: AppendBatch, go: () => Promise<void>) => Promise<void>,
): Store {
  return interceptStore(store, {
    append: (batch) => append(batch, () => store.append(batch)),
  });
}

/** A store with some members replaced. */
export function interceptStore(store: Store, replaced: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(replaced, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name, target);
      // Methods need the store itself: a proxy has none of its private members.
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

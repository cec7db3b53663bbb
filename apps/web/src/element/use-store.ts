import type { ObservableStore } from "@turnwire/base";
import { useSyncExternalStore } from "react";

/** The value of a store, kept up to date. */
export function useStore<Value>(store: ObservableStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A part of a store's value; renders again only when the part has changed. */
export function useStorePart<Value, Part>(
  store: ObservableStore<Value>,
  select: (value: Value) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** A value that can be watched; fits React's `useSyncExternalStore`. */
export interface ObservableStore<Value> {
  /** The same value until it is set to another. */
  readonly get: () => Value;
  /** Calls every listener, unless the value stays the same. */
  readonly set: (value: Value) => void;
  /** Calls the listener after each change; the returned function stops that. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface ObservableStoreOptions {
  /** Receives what a listener threw. Without it `set` throws the first such error, after all listeners ran. */
  readonly onListenerError?: (error: unknown) => void;
}

export function createStore<Value>(
  initial: Value,
  { onListenerError }: ObservableStoreOptions = {},
): ObservableStore<Value> {
  const listeners = new Set<() => void>();
  let current = initial;

  function notify(): void {
    const errors: unknown[] = [];
    for (const listener of Array.from(listeners)) {
      if (!listeners.has(listener)) continue;
      try {
        listener();
      } catch (error) {
        if (onListenerError) onListenerError(error);
        else errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      notify();
    },
    subscribe(listener) {
      const entry = (): void => listener();
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}

/** A short list that outlives the server, such as the projects that admins have added. */
export interface ListStore<Item> {
  load(): Promise<readonly Item[]>;
  /**
   * Replaces everything; resolves when it would outlive a crash. With false when the list is not the one
   * any more that was loaded before: nothing was replaced then.
   */
  save(items: readonly Item[], before: readonly Item[]): Promise<void | boolean>;
  /** Where others change the list too: calls when they may have. The returned function ends it. */
  subscribe?(onChange: () => void): () => void;
}

/** A list that ends with the process. */
export function createMemoryList<Item>(): ListStore<Item> {
  let stored: readonly Item[] = [];
  return {
    load: () => Promise.resolve(stored),
    save: (items) => {
      stored = items;
      return Promise.resolve();
    },
  };
}

/** Other hosts change lists rarely: whoever is too late this often has met a fault. */
const MAX_TRIES = 20;

export interface ListChange<Item, Value> {
  /** The list from now on; undefined where it stays. */
  readonly items?: readonly Item[];
  readonly value: Value;
}

/** Changes a list by what is in it at that moment, again when another host was faster. */
export async function changeList<Item, Value>(
  store: Pick<ListStore<Item>, "load" | "save">,
  change: (items: readonly Item[]) => ListChange<Item, Value>,
): Promise<Value> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await store.load();
    const { items, value } = change(before);
    if (!items || (await store.save(items, before)) !== false) return value;
  }
  throw new Error("the list changes faster than it can be stored");
}

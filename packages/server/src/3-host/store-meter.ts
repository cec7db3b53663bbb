import type { Store, StoreHint } from "@turnwire/log";

/** What is measured of a store, by what it is for. */
const operations = {
  append: "append",
  read: "read",
  readHeads: "heads",
  createSession: "lease",
  acquireLease: "lease",
  releaseLease: "lease",
  renewHolder: "renewal",
  putInboxEntry: "inbox",
  readInbox: "inbox",
  listWaitingInboxes: "inbox",
  answerInboxEntry: "inbox",
  findInboxAnswer: "inbox",
} as const satisfies Partial<Record<keyof Store, string>>;

export type StoreOperation = (typeof operations)[keyof typeof operations];

export interface StoreObserver {
  onOperation(operation: StoreOperation, ms: number, isFailed: boolean): void;
  onHint(type: StoreHint["type"]): void;
  /** A command for a session of another host was answered, so long after it was sent. */
  onRemoteCommand(ms: number): void;
}

/** Commands that are never answered must not be remembered for ever. */
const MAX_REMEMBERED_COMMANDS = 10_000;

/** Measures what a host asks of its store, for whoever observes it; by a clock that only runs forward. */
export class StoreMeter {
  readonly #observers = new Set<StoreObserver>();
  /** When commands were put into an inbox, by the ids of their entries. */
  readonly #sent = new Map<string, number>();
  #store: Store | undefined;

  /** What is returned ends it. */
  observe(observer: StoreObserver): () => void {
    this.#observers.add(observer);
    const stopWatching = this.#store?.watch(({ type }) => observer.onHint(type));
    return () => {
      stopWatching?.();
      this.#observers.delete(observer);
    };
  }

  /** The same store, measured. */
  measure(store: Store): Store {
    this.#store = store;
    const measured = new Map<PropertyKey, unknown>();
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        // Methods need the store itself: a proxy has none of its private members.
        const known = measured.get(name) ?? this.#measured(name, member.bind(target));
        measured.set(name, known);
        return known;
      },
    });
  }

  #measured(name: PropertyKey, method: (...args: unknown[]) => unknown): unknown {
    if (!isMeasured(name)) return method;
    return async (...args: unknown[]) => {
      const startedAt = performance.now();
      let isFailed = true;
      try {
        const result = await method(...args);
        isFailed = false;
        if (name === "putInboxEntry") this.#remember(result, startedAt);
        if (name === "findInboxAnswer" && result !== undefined) this.#recall(args[0]);
        return result;
      } finally {
        const ms = performance.now() - startedAt;
        for (const observer of this.#observers)
          observer.onOperation(operations[name], ms, isFailed);
      }
    };
  }

  #remember(entryId: unknown, at: number): void {
    if (typeof entryId !== "string" || this.#observers.size === 0) return;
    const [oldest] = this.#sent.keys();
    if (this.#sent.size >= MAX_REMEMBERED_COMMANDS && oldest !== undefined) {
      this.#sent.delete(oldest);
    }
    this.#sent.set(entryId, at);
  }

  #recall(entryId: unknown): void {
    if (typeof entryId !== "string") return;
    const at = this.#sent.get(entryId);
    if (at === undefined) return;
    this.#sent.delete(entryId);
    for (const observer of this.#observers) observer.onRemoteCommand(performance.now() - at);
  }
}

function isMeasured(name: PropertyKey): name is keyof typeof operations {
  return Object.hasOwn(operations, name);
}

import { type Clock, detach, startTimer } from "@turnwire/base";
import { type SessionRecord, type Store, StoreError } from "@turnwire/log";
import { hasWorkspace } from "../../2-session/workspace.ts";
import type { Session } from "../../2-session/session.ts";

const SWEEP_MS = 500;
/** Orphans that are asked for at once, and that are taken at the same time. */
const PAGE = 100;
const AT_ONCE = 4;
/** Sweeps after which one that could not be loaded, or cannot be run here, is looked at again. */
const PATIENCE = 120;
/** Other storages are looked at in every so many sweeps. */
const FOREIGN_EVERY = 4;

export interface OrphanSweepOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The directories that this host sees. */
  readonly storage: string | undefined;
  readonly ttlMs: number;
  /** At least 0 and below 1: spreads what hosts would else do at the same moment and in the same order. */
  readonly random: () => number;
  /** Whether this host takes sessions at all now. */
  readonly mayTake: () => boolean;
  /** Whether a host that lives has the storage. */
  readonly isServed: (storage: string) => boolean;
  /** The sessions that this host holds. */
  readonly held: () => readonly Session[];
  /** Takes the session, if no other host has it, and settles what was left open in it. */
  readonly take: (sessionId: string) => Promise<Session | undefined>;
  /** Removes a session of which only a part was made. */
  readonly discard: (sessionId: string) => Promise<void>;
  readonly onTaken: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Takes the sessions that hosts which died have left, those of its own storage at once. One that no
 * host can run is only settled: it is released again, for whoever has its directory.
 */
export class OrphanSweep {
  readonly #options: OrphanSweepOptions;
  readonly #attempts = new Map<string, number>();
  readonly #firstSeen = new Map<string, number>();
  readonly #stopWatching: () => void;
  #count = 0;
  #isClosed = false;
  #isSweeping = false;
  #cancel: () => void = () => undefined;

  constructor(options: OrphanSweepOptions) {
    this.#options = options;
    this.#stopWatching = options.store.watch((hint) => {
      if (hint.type === "released" || hint.type === "gap") this.#plan(options.random() * 50);
    });
    this.#plan(options.random() * SWEEP_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#stopWatching();
  }

  #plan(ms: number): void {
    const { clock, onError } = this.#options;
    this.#cancel();
    if (this.#isClosed) return;
    this.#cancel = startTimer(clock, ms, () => {
      detach(
        this.#sweep().finally(() => this.#plan(SWEEP_MS)),
        onError,
      );
    });
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping || !this.#options.mayTake()) return;
    this.#isSweeping = true;
    try {
      this.#count += 1;
      this.#forgetOldAttempts();
      await this.#takeOwn();
      if (this.#count % FOREIGN_EVERY === 0) {
        await this.#takeForeign();
        await this.#giveBack();
      }
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Those that could not be loaded stay in the list, and must not fill it. */
  get #limit(): number {
    return PAGE + this.#attempts.size;
  }

  async #takeOwn(): Promise<void> {
    const { store, storage } = this.#options;
    const query = { limit: this.#limit, ...(storage !== undefined && { storage }) };
    await this.#takeAll(await store.listOrphans(query), async (sessionId) => {
      await this.#take(sessionId);
    });
  }

  /** A host that has the storage is left the time to take them. */
  async #takeForeign(): Promise<void> {
    const { store, storage, ttlMs, isServed } = this.#options;
    if (storage === undefined) return;
    const orphans = await store.listOrphans({ limit: this.#limit });
    for (const sessionId of this.#firstSeen.keys()) {
      if (!orphans.includes(sessionId)) this.#firstSeen.delete(sessionId);
    }
    await this.#takeAll(orphans, async (sessionId) => {
      const record = await store.getSession(sessionId);
      if (!record || hasWorkspace(record, storage) || record.storage === undefined) return;
      const since = this.#firstSeen.get(sessionId) ?? this.#count;
      this.#firstSeen.set(sessionId, since);
      const isLate = (this.#count - since) * SWEEP_MS >= ttlMs;
      if (!isLate && isServed(record.storage)) return;
      this.#attempts.set(sessionId, this.#count);
      await this.#take(sessionId);
    });
  }

  /** Sessions that another host can run, and this one cannot, go to it. */
  async #giveBack(): Promise<void> {
    const { held, storage, isServed } = this.#options;
    const given = held().filter(({ workspace, wouldLoseWork }) => {
      const { storage: needed } = workspace;
      const isElsewhere = needed !== undefined && !hasWorkspace(workspace, storage);
      return isElsewhere && isServed(needed) && !wouldLoseWork;
    });
    await Promise.all(given.map((session) => session.end({ type: "release" })));
  }

  /** In any order, so that hosts which sweep at the same time seldom want the same. */
  async #takeAll(
    orphans: readonly string[],
    take: (sessionId: string) => Promise<void>,
  ): Promise<void> {
    const due = shuffled(
      orphans.filter((sessionId) => !this.#attempts.has(sessionId)),
      this.#options.random,
    );
    const worker = async (): Promise<void> => {
      for (let next = due.pop(); next !== undefined; next = due.pop()) {
        if (this.#isClosed || !this.#options.mayTake()) return;
        try {
          await take(next);
        } catch (error) {
          // One that cannot be loaded must not keep the others waiting; what only the store kept from it is tried again.
          if (!isStoreAway(error)) this.#attempts.set(next, this.#count);
          this.#options.onError(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  #forgetOldAttempts(): void {
    for (const [sessionId, attempt] of this.#attempts) {
      if (this.#count - attempt >= PATIENCE) this.#attempts.delete(sessionId);
    }
  }

  async #take(sessionId: string): Promise<void> {
    const { store, take, discard, onTaken } = this.#options;
    const record: SessionRecord | undefined = await store.getSession(sessionId);
    if (!record) return;
    if (record.isPartial) return discard(sessionId);
    if (await take(sessionId)) onTaken(sessionId);
  }
}

function isStoreAway(error: unknown): boolean {
  return error instanceof StoreError && error.code === "unavailable";
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

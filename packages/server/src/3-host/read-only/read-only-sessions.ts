import type { Clock } from "@turnwire/base";
import { type Result, type Worktree, type Principal, canReach } from "@turnwire/protocol";
import {
  type DamagedRange,
  type SessionRecord,
  type Store,
  StoreError,
  type StoreHint,
} from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";
import { type OpenSession } from "@turnwire/wire";
import { ReadOnlySession } from "./read-only-session.ts";

/** Beyond this the oldest are let go of; their readers come back. */
const MAX_SESSIONS = 1000;

export interface ReadOnlySessionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** Holds or follows the session; throws a StoreError where that cannot be. */
  readonly open: (sessionId: string, principal: Principal) => Promise<Result<OpenSession>>;
}

export interface RemovedSession {
  readonly id: string;
  readonly owner: string;
  readonly worktree?: Worktree;
}

/** The sessions that can only be read, for as long as that is so. */
export class ReadOnlySessions {
  readonly #options: ReadOnlySessionsOptions;
  readonly #sessions = new Map<string, ReadOnlySession>();
  readonly #loading = new Map<string, Promise<ReadOnlySession>>();

  readonly #stopWatching: () => void;

  constructor(options: ReadOnlySessionsOptions) {
    this.#options = options;
    this.#stopWatching = options.store.watch((hint) => this.#onHint(hint));
  }

  rangeOf(sessionId: string): DamagedRange | undefined {
    return this.#sessions.get(sessionId)?.range;
  }

  /** One that is known to be damaged: it is not even tried to hold it. */
  findDamaged(sessionId: string): ReadOnlySession | undefined {
    const known = this.#sessions.get(sessionId);
    return known?.isDamaged ? known : undefined;
  }

  /** The readable part of a session that cannot be held, for this cause; loaded once, however many ask. */
  read(record: SessionRecord, cause: StoreError): Promise<ReadOnlySession> | ReadOnlySession {
    const { sessionId } = record;
    const known = this.#sessions.get(sessionId) ?? this.#loading.get(sessionId);
    return known ?? this.#load(record, cause);
  }

  /** Removes a damaged session without reading it; undefined when there is none for this principal. */
  async remove(sessionId: string, principal: Principal): Promise<RemovedSession | undefined> {
    const record = await this.#find(sessionId, principal);
    if (!record) return undefined;
    await this.#options.store.removeSession(sessionId);
    this.drop(sessionId, "closed");
    const { owner, worktree } = record;
    return { id: sessionId, owner, ...(worktree && { worktree }) };
  }

  /** The session is held again, or gone. */
  drop(sessionId: string, reason: "closed" | "released"): void {
    this.#loading.delete(sessionId);
    this.#sessions.get(sessionId)?.end(reason);
    this.#sessions.delete(sessionId);
  }

  close(): void {
    this.#stopWatching();
    for (const sessionId of this.#sessions.keys()) this.drop(sessionId, "released");
  }

  /** Another host continues what could not be held here: readers come back and follow it. */
  #onHint(hint: StoreHint): void {
    if (hint.type === "events" || hint.type === "removed") this.#dropWhole(hint.sessionId);
    if (hint.type !== "gap") return;
    for (const sessionId of this.#sessions.keys()) this.#dropWhole(sessionId);
  }

  #dropWhole(sessionId: string): void {
    if (this.#sessions.get(sessionId)?.isDamaged === false) this.drop(sessionId, "released");
  }

  async #find(sessionId: string, principal: Principal): Promise<SessionRecord | undefined> {
    const record = await this.#options.store.getSession(sessionId);
    return record && canReach(principal, { id: sessionId, owner: record.owner })
      ? record
      : undefined;
  }

  #load(record: SessionRecord, cause: StoreError): Promise<ReadOnlySession> {
    const { sessionId } = record;
    const { store, clock, runtimes } = this.#options;
    const runtime = runtimes.get(record.runtime);
    const reopen = (principal: Principal) => this.#reopen(sessionId, principal);
    const loading = ReadOnlySession.load({ record, cause, store, clock, runtime, reopen })
      .then((session) => {
        // Dropped while it was loaded: whoever asked gets it, and is sent on at once.
        if (this.#loading.get(sessionId) === loading) this.#add(session);
        else session.end("released");
        return session;
      })
      .finally(() => {
        if (this.#loading.get(sessionId) === loading) this.#loading.delete(sessionId);
      });
    this.#loading.set(sessionId, loading);
    return loading;
  }

  #add(session: ReadOnlySession): void {
    this.#sessions.set(session.id, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.drop(oldest, "released");
  }

  async #reopen(sessionId: string, principal: Principal): Promise<OpenSession | undefined> {
    try {
      const opened = await this.#options.open(sessionId, principal);
      return opened.ok ? opened.value : undefined;
    } catch (error) {
      if (canBeRead(error, this.#options.store)) return undefined;
      throw error;
    }
  }
}

/** Whether a session that cannot be held for this error can still be read: on a shared store, what other hosts write meanwhile would be missed. */
export function canBeRead(error: unknown, store: Pick<Store, "isShared">): error is StoreError {
  if (!(error instanceof StoreError)) return false;
  return error.code === "damaged" || (error.code === "unavailable" && !store.isShared);
}

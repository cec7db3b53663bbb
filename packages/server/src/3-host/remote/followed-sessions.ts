import { type Clock, detach, startTimer } from "@turnwire/base";
import { type SessionRecord, type Store, StoreError, type StoreHint } from "@turnwire/log";
import { missingRuntime, type Runtime } from "@turnwire/runtime";
import { FollowedSession } from "./followed-session.ts";
import type { InboxSender } from "./inbox-sender.ts";

/** How often the heads of all followed sessions are looked up without a hint. */
const POLL_MS = 1_000;
/** How long a session is followed after the last one who asked for it. */
const IDLE_MS = 30_000;

export interface FollowedSessionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly ringSize: number;
  readonly inbox: InboxSender;
  readonly onError: (error: unknown) => void;
}

interface Followed {
  readonly opened: Promise<FollowedSession>;
  readonly epoch: string;
  /** Undefined until it can be read. */
  session?: FollowedSession;
  /** The newest head that became known before it could be read. */
  hinted: number;
  /** The host that ran it may have let go of it. */
  mayBeFree: boolean;
}

/** The sessions that this host follows while others run them, each once. */
export class FollowedSessions {
  readonly #options: FollowedSessionsOptions;
  readonly #followed = new Map<string, Followed>();
  #cancelPoll: (() => void) | undefined;
  #isPolling = false;
  #pollCatches = 0;
  /** The store could not be read when it was last asked. */
  #isStoreAway = false;

  constructor(options: FollowedSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#followed.size;
  }

  /** How often a poll found events that no hint had announced: hints are lost, or late. */
  get pollCatches(): number {
    return this.#pollCatches;
  }

  /**
   * A session that is followed and that its host has not let go of, as far as is known; read up to what
   * the store has, since a reader who comes from another host may be ahead of the hints.
   */
  async find(sessionId: string): Promise<FollowedSession | undefined> {
    const followed = this.#followed.get(sessionId);
    if (!followed?.session || followed.mayBeFree || followed.session.endReason) return undefined;
    const { session } = followed;
    const { store } = this.#options;
    session.touch();
    const record = await store.getSession(sessionId);
    // Recreated under its id, maybe by somebody else.
    if (record && record.epoch !== followed.epoch) session.end("released");
    // One that was deleted can be read to its end.
    const head = record?.head ?? (await store.readHeads([sessionId])).get(sessionId);
    await session.advance(head ?? 0);
    return session.endReason ? undefined : session;
  }

  /** Follows a session; resolves when it is read up to what the store had. */
  async follow(record: SessionRecord): Promise<FollowedSession> {
    const { sessionId } = record;
    const known = this.#followed.get(sessionId);
    if (known?.epoch === record.epoch && !known.session?.endReason) {
      // Another host runs it after all: whoever asked has just tried.
      known.mayBeFree = false;
      const session = await known.opened;
      session.touch();
      await session.advance(record.head);
      return session;
    }
    this.drop(sessionId);
    const followed: Followed = {
      // Begun when the entry is there, so that it hears of what comes meanwhile.
      opened: Promise.resolve().then(() => this.#open(record, followed)),
      epoch: record.epoch,
      hinted: record.head,
      mayBeFree: false,
    };
    this.#followed.set(sessionId, followed);
    this.#cancelPoll ??= this.#pollLater();
    return followed.opened;
  }

  onHint(hint: StoreHint): void {
    switch (hint.type) {
      case "events":
        this.#advance(hint.sessionId, hint.head);
        return;
      case "removed":
        if (this.#followed.has(hint.sessionId)) this.#poll();
        return;
      case "created": {
        // Another session under the same id, or this one: hints come late.
        const followed = this.#followed.get(hint.sessionId);
        if (followed)
          detach(this.#isSame(hint.sessionId, followed), (error) => this.#report(error));
        return;
      }
      case "released": {
        const followed = this.#followed.get(hint.sessionId);
        if (followed) followed.mayBeFree = true;
        return;
      }
      case "gap":
        for (const followed of this.#followed.values()) followed.mayBeFree = true;
        this.#poll();
        detach(this.#dropOthers(), (error) => this.#report(error));
        return;
      case "inbox":
      case "answer":
      case "value":
    }
  }

  /** This host runs the session now, or no one asks for it. */
  drop(sessionId: string): void {
    const followed = this.#followed.get(sessionId);
    if (!followed) return;
    this.#forget(sessionId, followed);
    followed.session?.end("released");
  }

  dropAll(): void {
    for (const sessionId of this.#followed.keys()) this.drop(sessionId);
  }

  async #open(record: SessionRecord, followed: Followed): Promise<FollowedSession> {
    const { sessionId } = record;
    const { store, clock, runtimes, ringSize, inbox } = this.#options;
    try {
      const session = await FollowedSession.open({
        record,
        store,
        clock,
        ringSize,
        inbox,
        runtime: runtimes.get(record.runtime) ?? missingRuntime(record.runtime),
        idleMs: IDLE_MS,
        onIdle: () => this.drop(sessionId),
      });
      await session.advance(followed.hinted);
      const { epoch = record.epoch } = (await store.getSession(sessionId)) ?? {};
      if (epoch !== record.epoch) throw madeAnew(sessionId);
      followed.session = session;
      // Dropped while it was read: whoever asked gets it, and is sent on at once.
      if (this.#followed.get(sessionId) !== followed) session.end("released");
      else this.#advance(sessionId, followed.hinted);
      return session;
    } catch (error) {
      this.#forget(sessionId, followed);
      throw error;
    }
  }

  #advance(sessionId: string, head: number): void {
    const followed = this.#followed.get(sessionId);
    if (!followed) return;
    followed.hinted = Math.max(followed.hinted, head);
    const { session } = followed;
    if (!session) return;
    const advanced = session.advance(head).finally(() => {
      if (session.endReason) this.#forget(sessionId, followed);
    });
    detach(advanced, (error) => this.#report(error));
  }

  #pollLater(): () => void {
    return startTimer(this.#options.clock, POLL_MS, () => {
      this.#cancelPoll = this.#pollLater();
      this.#poll();
    });
  }

  #poll(): void {
    if (this.#isPolling || this.#followed.size === 0) return;
    this.#isPolling = true;
    const polled = this.#readHeads().finally(() => {
      this.#isPolling = false;
    });
    detach(polled, (error) => this.#report(error));
  }

  async #readHeads(): Promise<void> {
    // What becomes known while the store is asked may be newer than its answer.
    const polled = [...this.#followed].map(
      ([sessionId, followed]) => [sessionId, followed, this.#headOf(sessionId)] as const,
    );
    const heads = await this.#options.store.readHeads(polled.map(([sessionId]) => sessionId));
    this.#isStoreAway = false;
    for (const [sessionId, followed, headBefore] of polled) {
      const head = heads.get(sessionId);
      if (this.#followed.get(sessionId) !== followed) continue;
      // Removed for good, or recreated: readers that come back learn so.
      if (head === undefined || head < headBefore) this.drop(sessionId);
      else if (head <= followed.hinted) this.#advance(sessionId, head);
      else {
        this.#pollCatches += 1;
        if (await this.#isSame(sessionId, followed)) this.#advance(sessionId, head);
      }
    }
  }

  #headOf(sessionId: string): number {
    return this.#followed.get(sessionId)?.session?.log.head ?? 0;
  }

  async #dropOthers(): Promise<void> {
    for (const [sessionId, followed] of this.#followed) await this.#isSame(sessionId, followed);
  }

  /** Where hints were lost, a session may have been deleted and recreated under its id: then it is let go of. */
  async #isSame(sessionId: string, followed: Followed): Promise<boolean> {
    const record = await this.#options.store.getSession(sessionId);
    if (this.#followed.get(sessionId) !== followed) return false;
    if (!record || record.epoch === followed.epoch) return true;
    this.drop(sessionId);
    return false;
  }

  #forget(sessionId: string, followed: Followed): void {
    if (this.#followed.get(sessionId) === followed) this.#followed.delete(sessionId);
    if (this.#followed.size > 0) return;
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
  }

  /** A store that is away is reported once, and asked again with the next poll. */
  #report(error: unknown): void {
    const isAway = error instanceof StoreError && error.code === "unavailable";
    if (isAway && this.#isStoreAway) return;
    this.#isStoreAway = isAway;
    this.#options.onError(error);
  }
}

/** What was read may be of the session that has the id now, whose owner may be another. */
function madeAnew(sessionId: string): StoreError {
  return new StoreError("unavailable", `session ${sessionId} was recreated while it was opened`);
}

import { type Clock, detach, type Logger, startTimer } from "@turnwire/base";
import { type HostDescription, type Store, StoreError } from "@turnwire/log";

const SHARED_LEASE_MS = 10_000;
/** A century: no other host waits for the lease, and no machine that slept or whose clock was set may lose it. */
const UNSHARED_LEASE_MS = 100 * 365 * 86_400_000;
const MAX_RENEWAL_MS = 10_000;
/** How long the store has to answer a host that stood still itself, and how soon it is asked again after a renewal that failed. */
const LOOK_MS = 500;

/** How long hosts that follow a session have to read the last events of one that was deleted. */
const DELETED_READABLE_MS = 60_000;

export interface HostMembershipOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The holder of this host's leases. */
  readonly holder: string;
  readonly ttlMs: number;
  readonly describe: () => HostDescription;
  /** Ends all that this host does for sessions, agents first; resolves when nothing acts any more. */
  readonly abandonAll: () => Promise<void>;
  /** Lets go of sessions that another host has taken, where no timer noticed that time passed. */
  readonly releaseTaken: () => Promise<void>;
  /** Called after each renewal, while this host may act for sessions. */
  readonly onRenewed: () => Promise<void>;
  /** This host has lost its leases and knows that it cannot reach the store; `onReached` ends it. */
  readonly onCutOff: () => void;
  readonly onReached: () => void;
  readonly logger: Logger;
  readonly onError: (error: unknown) => void;
}

/** How long a host's leases are good. */
export function leaseMsFor({
  store,
  leaseMs,
}: {
  readonly store: Pick<Store, "isShared">;
  readonly leaseMs?: number;
}): number {
  return leaseMs ?? (store.isShared ? SHARED_LEASE_MS : UNSHARED_LEASE_MS);
}

/**
 * This host among those that share a store. Promise: it acts for no session any more when another host
 * may take it. It renews its leases at a third of their time, sooner after a failure, and when no renewal
 * has succeeded for two thirds it ends everything, whatever the store does, and joins again when the
 * store answers. Only timers count, which a stepped clock does not move. It is cut off from then on,
 * unless only the host itself stood still: nothing that needs the store can be done until a renewal
 * succeeds.
 */
export class HostMembership {
  readonly #options: HostMembershipOptions;
  #isOut = false;
  #isCutOff = false;
  /** The last renewal that ended did not succeed. */
  #hasFailed = false;
  #isClosed = false;
  #hasJoined = false;
  /** Renewals that the store has not answered. */
  readonly #underWay = new Set<Promise<boolean>>();
  #renewals = 0;
  #newest = 0;
  #joining: Promise<void> | undefined;
  #storages: ReadonlySet<string> | undefined;
  #cancelNext: () => void = () => undefined;
  #cancelLook: () => void = () => undefined;
  #cancelDeadline: () => void;

  constructor(options: HostMembershipOptions) {
    this.#options = options;
    this.#cancelDeadline = this.#startDeadline();
    this.#plan();
    detach(this.#renew(), options.onError);
  }

  /** Throws while this host has let go of everything because it could not renew its leases. */
  check(): void {
    if (!this.#isOut) return;
    throw new StoreError("unavailable", "this host could not renew its leases");
  }

  get isOut(): boolean {
    return this.#isOut;
  }

  /** Whether a host that lives has this storage; it may, as long as the others are not known. */
  hasStorage(storage: string): boolean {
    return this.#storages?.has(storage) ?? true;
  }

  /** Reports the status of this host again, as when it begins to drain. */
  async announce(): Promise<void> {
    if (!this.#isClosed) await this.#renew();
  }

  /** The leases that are left are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNext();
    this.#cancelLook();
    this.#cancelDeadline();
    await this.#remove();
    if (this.#underWay.size === 0) return;
    // One that reaches the store only now would make a host that is gone live again.
    await Promise.allSettled(this.#underWay);
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const { store, holder, onError } = this.#options;
    await store.removeHolder(holder).catch(onError);
  }

  #plan(ms = this.#renewalMs): void {
    const { clock, onError } = this.#options;
    this.#cancelNext();
    this.#cancelNext = startTimer(clock, ms, () => {
      this.#plan();
      detach(this.#renew(), onError);
    });
  }

  get #renewalMs(): number {
    return Math.min(this.#options.ttlMs / 3, MAX_RENEWAL_MS);
  }

  /** Two thirds of the time that a renewal which begins now would give. */
  #startDeadline(): () => void {
    const { store, clock, ttlMs } = this.#options;
    if (!store.isShared) return () => undefined;
    return startTimer(clock, (ttlMs * 2) / 3, () => this.#leave());
  }

  #leave(): void {
    const { clock, logger, ttlMs, abandonAll, onError } = this.#options;
    if (this.#isClosed || this.#isOut) return;
    this.#isOut = true;
    logger.error({ ttlMs }, "the leases could not be renewed: every session is let go of");
    detach(abandonAll(), onError);
    if (this.#hasFailed) return this.#cutOff();
    detach(this.#renew(), onError);
    this.#cancelLook = startTimer(clock, LOOK_MS, () => this.#cutOff());
  }

  #cutOff(): void {
    if (this.#isClosed || this.#isCutOff) return;
    this.#isCutOff = true;
    this.#options.onCutOff();
    this.#plan(LOOK_MS);
  }

  #reached(): void {
    this.#hasFailed = false;
    this.#cancelLook();
    if (!this.#isCutOff) return;
    this.#isCutOff = false;
    this.#options.onReached();
  }

  async #renew(): Promise<void> {
    const { store, holder, ttlMs, describe } = this.#options;
    this.#renewals += 1;
    const number = this.#renewals;
    // Of several at the start, each may find that none came before it.
    const hadJoined = this.#hasJoined;
    const cancelDeadline = this.#startDeadline();
    let wasAlive: boolean;
    try {
      wasAlive = await this.#noted(store.renewHolder(holder, ttlMs, describe()));
    } catch (error) {
      cancelDeadline();
      if (this.#isClosed) return;
      // The next one would only be due when the time is up.
      this.#plan(Math.min(LOOK_MS, this.#renewalMs));
      const isReported = this.#isCutOff || this.#hasFailed;
      this.#hasFailed = true;
      if (this.#isOut) this.#cutOff();
      if (isReported) return;
      throw error;
    }
    // A renewal that began earlier says less.
    if (this.#isClosed || number < this.#newest) return cancelDeadline();
    this.#newest = number;
    this.#reached();
    if (this.#isOut || (!wasAlive && hadJoined)) {
      cancelDeadline();
      await this.#joinAgain();
      return;
    }
    this.#hasJoined = true;
    this.#cancelDeadline();
    this.#cancelDeadline = cancelDeadline;
    await this.#attend();
  }

  async #noted(renewal: Promise<boolean>): Promise<boolean> {
    this.#underWay.add(renewal);
    try {
      return await renewal;
    } finally {
      this.#underWay.delete(renewal);
    }
  }

  async #attend(): Promise<void> {
    try {
      await this.#pollStore();
      await this.#options.onRenewed();
    } catch (error) {
      // The store may be closed once this host has left.
      if (!this.#isClosed) throw error;
    }
  }

  /** Its leases may have been taken: nothing that was done by them continues. */
  #joinAgain(): Promise<void> {
    this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined;
    });
    return this.#joining;
  }

  async #join(): Promise<void> {
    const { store, holder, ttlMs, describe, abandonAll, logger } = this.#options;
    this.#isOut = true;
    this.#cancelDeadline();
    await abandonAll();
    // Leases by which no session acts any more would keep other hosts out.
    await store.removeHolder(holder);
    const cancelDeadline = this.#startDeadline();
    await this.#noted(store.renewHolder(holder, ttlMs, describe()));
    if (this.#isClosed) return cancelDeadline();
    this.#cancelDeadline = cancelDeadline;
    this.#isOut = false;
    this.#reached();
    logger.warn({}, "joined the other hosts again");
  }

  async #pollStore(): Promise<void> {
    const { store, releaseTaken } = this.#options;
    if (!store.isShared) {
      await store.purgeDeleted(DELETED_READABLE_MS);
      return;
    }
    const [hosts] = await Promise.all([
      store.listHosts(),
      releaseTaken(),
      store.purgeDeleted(DELETED_READABLE_MS),
    ]);
    const able = hosts.filter(({ isAlive, isDraining }) => isAlive && !isDraining);
    this.#storages = new Set(able.map(({ storage }) => storage));
  }
}

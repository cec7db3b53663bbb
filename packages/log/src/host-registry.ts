/** A server process as it describes itself to the others that share its store. */
export interface HostDescription {
  /** For people. */
  readonly name: string;
  /** Hosts with the same storage see the same working directories, so they can run each other's sessions. */
  readonly storage: string;
  readonly version: string;
  readonly startedAt: string;
  /** Where people reach it, when it knows. */
  readonly url?: string;
  /** It takes no new work and is about to leave. */
  readonly isDraining: boolean;
  readonly liveRuns: number;
}

/** A host that has not left, as the store knows it. */
export interface HostRecord extends HostDescription {
  /** The holder of its leases: one per process and boot. */
  readonly hostId: string;
  /** Whether its leases are good. */
  readonly isAlive: boolean;
  /** When it last said that it lives, by the store's clock. */
  readonly seenAt: string;
  /** How many sessions it holds. */
  readonly sessions: number;
}

export interface OrphanQuery {
  readonly limit: number;
  /** Only sessions whose working directory is on this storage, and those that name none. */
  readonly storage?: string;
}

/**
 * Which holders live. A lease is good while its holder lives: for as long as it said when it last took
 * a lease or renewed, by the store's clock.
 */
export interface HostRegistry {
  /**
   * States that a holder lives for `ttlMs` from now, also where that is shorter than before. False when it did not live just before, since its
   * time had run out or the store does not know it (as at its first renewal): any lease that it had may
   * have been taken, and whoever acts by one must stop. It lives again from now on.
   */
  renewHolder(holder: string, ttlMs: number, description?: HostDescription): Promise<boolean>;
  /** The holder is gone, and so are all of its leases. */
  removeHolder(holder: string): Promise<void>;
  /** Every host that described itself and has not left; those that died stay listed for a while. */
  listHosts(): Promise<HostRecord[]>;
  /**
   * The ids of sessions that no living host holds and that need one: with an agent or something open,
   * half made, or with commands in their inbox. Those whose record changed longest ago first.
   */
  listOrphans(query: OrphanQuery): Promise<string[]>;
}

import { hostname } from "node:os";
import { type Clock, detach, type Logger } from "@turnwire/base";
import type { HostDescription, SessionRecord, Store } from "@turnwire/log";
import { readServerVersion } from "@turnwire/runtime";
import { type DrainOptions, drainSessions } from "./drain.ts";
import { HostMembership, leaseMsFor } from "./host-membership.ts";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";
import { OrphanSweep } from "./orphan-sweep.ts";
import type { Session } from "../../2-session/session.ts";
import type { SessionHostOptions } from "../creation/session-host-options.ts";
import { hasWorkspace } from "../../2-session/workspace.ts";
import type { StoreGate } from "./store-gate.ts";

export interface HostPresenceOptions {
  /** What the host was made with. */
  readonly host: SessionHostOptions;
  readonly hostId: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sessions: LoadedSessions;
  readonly liveRuns: () => number;
  /** Takes a session, if no other host has it, and settles what was left open in it. */
  readonly take: (sessionId: string) => Promise<Session | undefined>;
  /** Removes a session of which only a part was made. */
  readonly discard: (sessionId: string) => Promise<void>;
  /** Shut while this host is cut off from the store. */
  readonly gate: StoreGate;
  readonly onCutOff: () => void;
  readonly onError: (error: unknown) => void;
}

/** The directories that a host sees, where others share its store: sessions need a host that sees theirs. */
export function storageFor({ store, storage }: SessionHostOptions): string | undefined {
  return store.isShared ? (storage ?? hostname()) : undefined;
}

/** This host among those that share its store: it joins, takes what others have left, drains and leaves. */
export class HostPresence {
  readonly #options: HostPresenceOptions;
  readonly #storage: string | undefined;
  readonly #membership: HostMembership;
  readonly #sweep: OrphanSweep | undefined;
  readonly #startedAt: string;
  #version = "";
  #isDraining = false;
  #draining: Promise<void> | undefined;
  #takeovers = 0;

  constructor(options: HostPresenceOptions) {
    const { host, store, clock, hostId, sessions, take, gate, logger } = options;
    this.#options = options;
    this.#storage = storageFor(host);
    this.#startedAt = new Date(clock.now()).toISOString();
    const ttlMs = leaseMsFor(host);
    this.#membership = new HostMembership({
      ...options,
      holder: hostId,
      ttlMs,
      describe: () => this.#describe(),
      releaseTaken: () => releaseTaken(options),
      onRenewed: () => this.#takeLeft(),
      onCutOff: () => {
        gate.shut();
        options.onCutOff();
      },
      onReached: () => gate.open(),
      abandonAll: () => sessions.endAll((session) => session.end({ type: "abandon" })),
    });
    if (!store.isShared) return;
    detach(this.#describeVersion(), options.onError);
    this.#sweep = new OrphanSweep({
      ...options,
      storage: this.#storage,
      ttlMs,
      random: host.random ?? Math.random,
      mayTake: () => !this.isDraining && !this.#membership.isOut,
      isServed: (storage) => this.#membership.hasStorage(storage),
      held: () => sessions.live(),
      take,
      onTaken: (sessionId) => {
        this.#takeovers += 1;
        logger.warn({ sessionId }, "took over a session that no living host held");
      },
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** How many sessions were taken that another host had left. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** Throws while this host has let go of everything because it could not renew its leases. */
  check(): void {
    this.#membership.check();
  }

  /** Whether this host loads sessions at all: one that drains leaves them to the others. */
  get mayHold(): boolean {
    return !this.isDraining || !this.#options.store.isShared;
  }

  /** Whether this host takes the session when it is needed: it has its directory, or no host that lives has. */
  mayRun(record: SessionRecord): boolean {
    if (!this.mayHold) return false;
    const { storage } = record;
    if (storage === undefined || hasWorkspace(record, this.#storage)) return true;
    return !this.#membership.hasStorage(storage);
  }

  /** Begins nothing new and resolves when no turn runs any more, or the limit is reached. */
  drain(options: DrainOptions): Promise<void> {
    this.#draining ??= this.#drain(options);
    return this.#draining;
  }

  /** Takes nothing more; sessions that are left stay leased until `leave`. */
  stopTaking(): void {
    this.#sweep?.close();
  }

  async leave(): Promise<void> {
    this.#sweep?.close();
    await this.#membership.close();
  }

  /** Loads what this host still holds and does not act for: no other host can. */
  async #takeLeft(): Promise<void> {
    const { store, sessions, take } = this.#options;
    if (!store.isShared || this.isDraining) return;
    for (const sessionId of sessions.leftLeases) {
      sessions.leftLeases.delete(sessionId);
      await take(sessionId);
    }
  }

  async #drain(options: DrainOptions): Promise<void> {
    const { onError } = this.#options;
    this.#isDraining = true;
    // Others look for another host before this one gives its sessions back.
    if (this.#options.store.isShared) await this.#membership.announce().catch(onError);
    await drainSessions({ ...this.#options, ...options });
  }

  /** Read from a file, which no renewal waits for. */
  async #describeVersion(): Promise<void> {
    this.#version = await readServerVersion();
    await this.#membership.announce();
  }

  #describe(): HostDescription {
    const { host, liveRuns } = this.#options;
    const url = host.url?.();
    return {
      name: host.name ?? hostname(),
      storage: this.#storage ?? hostname(),
      version: this.#version,
      startedAt: this.#startedAt,
      isDraining: this.isDraining,
      liveRuns: liveRuns(),
      ...(url !== undefined && { url }),
    };
  }
}

/**
 * A session with more events than this host has written is another's: the machine stood still, its
 * timers with it, and a new lease has made the host live again before a renewal could say so.
 */
async function releaseTaken({ store, sessions, onError }: HostPresenceOptions): Promise<void> {
  const live = sessions.live();
  if (live.length === 0) return;
  const heads = await store.readHeads(live.map(({ id }) => id));
  for (const session of live) {
    // What this host is writing counts as its own.
    await session.log.settled.catch(() => undefined);
    const isTaken = (heads.get(session.id) ?? 0) > session.log.head;
    if (isTaken) detach(session.end({ type: "abandon" }), onError);
  }
}

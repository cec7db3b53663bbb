import type { Clock } from "@turnwire/base";
import { accepted, type Result, type Principal, canReach } from "@turnwire/protocol";
import { type SessionRecord, type Store, StoreError, type StoreHint } from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";
import type { ChangeFeed } from "../loaded/change-feed.ts";
import type { FollowedSession } from "./followed-session.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { unknownSession } from "../../2-session/port/host-rejection.ts";
import { InboxRounds } from "./inbox-rounds.ts";
import { InboxSender } from "./inbox-sender.ts";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";
import { type OpenSession } from "@turnwire/wire";
import { RemoteChanges } from "./remote-changes.ts";
import type { Session } from "../../2-session/session.ts";
import type { HostMetrics } from "../../2-session/record/session-log.ts";

/** How much longer than a lease the answer to a command is waited for: long enough for another host to take over. */
const TAKEOVER_MS = 5_000;
/** No request waits longer than this for a lease to run out. */
const MAX_LEASE_WAIT_MS = 10_000;

export interface RemoteSessionsOptions {
  readonly store: Store;
  /** The holder of this host's leases. */
  readonly holder: string;
  readonly clock: Clock;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly ringSize: number;
  readonly leaseTtlMs: number;
  readonly changes: ChangeFeed;
  /** The sessions that this host holds. */
  readonly sessions: Pick<LoadedSessions, "find" | "live" | "has">;
  /** Whether this host may run the session. */
  readonly mayRun: (record: SessionRecord) => boolean;
  /** Takes the session, if no other host has it. */
  readonly hold: (sessionId: string) => Promise<Session | undefined>;
  readonly onError: (error: unknown) => void;
}

/** What hosts that share a store have to do with each other's sessions. */
export class RemoteSessions {
  readonly #options: RemoteSessionsOptions;
  readonly #inbox: InboxSender;
  readonly #followed: FollowedSessions;
  readonly #rounds: InboxRounds;
  readonly #changes: RemoteChanges;
  readonly #stopWatching: () => void;

  constructor(options: RemoteSessionsOptions) {
    this.#options = options;
    const { store, leaseTtlMs } = options;
    this.#inbox = new InboxSender({
      ...options,
      waitMs: Math.min(leaseTtlMs, MAX_LEASE_WAIT_MS) + TAKEOVER_MS,
      takeOver: (sessionId) => this.#takeOver(sessionId),
    });
    this.#followed = new FollowedSessions({ ...options, inbox: this.#inbox });
    this.#rounds = new InboxRounds(options);
    this.#changes = new RemoteChanges(options);
    this.#stopWatching = store.watch((hint) => this.#onHint(hint));
  }

  get counts(): Pick<HostMetrics, "sessionsFollowed" | "pollCatches"> {
    const { size, pollCatches } = this.#followed;
    return { sessionsFollowed: size, pollCatches };
  }

  /** The session: as this host holds it where it can, else as it follows it. */
  async open(sessionId: string, principal: Principal): Promise<Result<Session | FollowedSession>> {
    const { sessions, mayRun } = this.#options;
    if (!sessions.has(sessionId)) {
      const followed = await this.#followed.find(sessionId);
      if (followed) return reached(followed, principal);
      const record = await this.#find(sessionId, principal);
      if (!record) return unknownSession(sessionId);
      if (!mayRun(record)) return accepted(await this.#followed.follow(record));
    }
    const session = await this.#hold(sessionId);
    if (session) return reached(session, principal);
    const record = await this.#find(sessionId, principal);
    return record ? accepted(await this.#followed.follow(record)) : unknownSession(sessionId);
  }

  /** Asks the host that holds the session to let this one have it; undefined when it does not answer. */
  async askFor(sessionId: string): Promise<Result<void> | undefined> {
    const sent = await this.#inbox.send<void>(sessionId, { kind: "hand_over" });
    if (sent.type === "gone") return unknownSession(sessionId);
    return sent.type === "answered" ? sent.result : undefined;
  }

  /** This host holds the session now: readers come back to it. */
  drop(sessionId: string): void {
    this.#followed.drop(sessionId);
  }

  /** Sends away whoever reads or waits here: this host is cut off from the store, others may know more. */
  release(): void {
    this.#options.changes.end();
    this.#followed.dropAll();
    this.#inbox.release();
  }

  close(): void {
    this.#stopWatching();
    this.#changes.close();
    this.#rounds.close();
    this.#inbox.close();
    this.#followed.dropAll();
  }

  #onHint(hint: StoreHint): void {
    this.#rounds.onHint(hint);
    this.#followed.onHint(hint);
    this.#inbox.onHint(hint);
    this.#changes.onHint(hint);
  }

  /** Undefined also where this host cannot hold sessions now: what others write is followed meanwhile. */
  async #hold(sessionId: string): Promise<Session | undefined> {
    const { store, hold } = this.#options;
    try {
      return await hold(sessionId);
    } catch (error) {
      const isAway = error instanceof StoreError && error.code === "unavailable";
      if (!isAway || !store.isShared) throw error;
      return undefined;
    }
  }

  async #takeOver(sessionId: string): Promise<void> {
    const { store, sessions, mayRun, hold } = this.#options;
    if (sessions.has(sessionId)) return;
    const record = await store.getSession(sessionId);
    if (record && !record.isPartial && mayRun(record)) await hold(sessionId);
  }

  async #find(sessionId: string, principal: Principal): Promise<SessionRecord | undefined> {
    const record = await this.#options.store.getSession(sessionId);
    return record && !record.isPartial && canReach(principal, record.owner) ? record : undefined;
  }
}

/** A session of somebody else is answered like one that does not exist. */
function reached<Opened extends OpenSession>(
  session: Opened,
  principal: Principal,
): Result<Opened> {
  return canReach(principal, session.owner) ? accepted(session) : unknownSession(session.id);
}

import type { Clock } from "@turnwire/base";
import type { Result } from "@turnwire/protocol";
import type { Store, StoreHint } from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";
import type { ChangeFeed } from "../loaded/change-feed.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { unknownSession } from "../../2-session/port/host-rejection.ts";
import { InboxRounds } from "./inbox-rounds.ts";
import { InboxSender } from "./inbox-sender.ts";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";
import { RemoteChanges } from "./remote-changes.ts";
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
  /** Takes a session whose host does not answer. */
  readonly takeOver: (sessionId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** What hosts that share a store have to do with each other's sessions. */
export class RemoteSessions {
  readonly #options: RemoteSessionsOptions;
  readonly #inbox: InboxSender;
  /** The sessions that other hosts hold. */
  readonly followed: FollowedSessions;
  readonly #rounds: InboxRounds;
  readonly #changes: RemoteChanges;
  readonly #stopWatching: () => void;

  constructor(options: RemoteSessionsOptions) {
    this.#options = options;
    const { store, leaseTtlMs } = options;
    this.#inbox = new InboxSender({
      ...options,
      waitMs: Math.min(leaseTtlMs, MAX_LEASE_WAIT_MS) + TAKEOVER_MS,
    });
    this.followed = new FollowedSessions({ ...options, inbox: this.#inbox });
    this.#rounds = new InboxRounds(options);
    this.#changes = new RemoteChanges(options);
    this.#stopWatching = store.watch((hint) => this.#onHint(hint));
  }

  get counts(): Pick<HostMetrics, "sessionsFollowed" | "pollCatches"> {
    const { size, pollCatches } = this.followed;
    return { sessionsFollowed: size, pollCatches };
  }

  /** Asks the host that holds the session to let this one have it; undefined when it does not answer. */
  async askFor(sessionId: string): Promise<Result<void> | undefined> {
    const sent = await this.#inbox.send<void>(sessionId, { kind: "hand_over" });
    if (sent.type === "gone") return unknownSession(sessionId);
    return sent.type === "answered" ? sent.result : undefined;
  }

  /** This host holds the session now: readers come back to it. */
  drop(sessionId: string): void {
    this.followed.drop(sessionId);
  }

  /** Sends away whoever reads or waits here: this host is cut off from the store, others may know more. */
  release(): void {
    this.#options.changes.end();
    this.followed.dropAll();
    this.#inbox.release();
  }

  close(): void {
    this.#stopWatching();
    this.#changes.close();
    this.#rounds.close();
    this.#inbox.close();
    this.followed.dropAll();
  }

  #onHint(hint: StoreHint): void {
    this.#rounds.onHint(hint);
    this.followed.onHint(hint);
    this.#inbox.onHint(hint);
    this.#changes.onHint(hint);
  }
}

import { type Clock, detach, startTimer } from "@turnwire/base";
import { type Store, StoreError, type StoreHint } from "@turnwire/log";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";

/** How often inboxes are looked into without a hint. */
const ROUND_MS = 1_000;

export interface InboxRoundsOptions {
  readonly store: Pick<Store, "isShared" | "listWaitingInboxes">;
  /** The holder of this host's leases. */
  readonly holder: string;
  readonly clock: Clock;
  /** The sessions that this host holds. */
  readonly sessions: Pick<LoadedSessions, "find" | "live">;
  readonly onError: (error: unknown) => void;
}

/** Has the sessions of this host look into their inboxes: at a hint, and on a shared store wherever something waits. */
export class InboxRounds {
  readonly #options: InboxRoundsOptions;
  #isPolling = false;
  #isWanted = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: InboxRoundsOptions) {
    this.#options = options;
    // In one process no hint is lost.
    if (options.store.isShared) this.#plan();
  }

  onHint(hint: StoreHint): void {
    if (hint.type === "inbox") this.#options.sessions.find(hint.sessionId)?.readInbox();
    if (hint.type === "gap") this.#poll();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #plan(): void {
    this.#cancel = startTimer(this.#options.clock, ROUND_MS, () => {
      this.#plan();
      // A store that is slow to answer is not asked again meanwhile.
      if (!this.#isPolling) this.#poll();
    });
  }

  #poll(): void {
    this.#isWanted = true;
    if (this.#isPolling) return;
    this.#isPolling = true;
    detach(this.#readWaiting(), (error) => this.#report(error));
  }

  /** One question for all sessions, however many this host has. */
  async #readWaiting(): Promise<void> {
    const { store, holder, sessions } = this.#options;
    try {
      while (this.#isWanted && !this.#isClosed) {
        this.#isWanted = false;
        if (sessions.live().length === 0) return;
        for (const sessionId of await store.listWaitingInboxes(holder)) {
          sessions.find(sessionId)?.readInbox();
        }
      }
    } finally {
      this.#isPolling = false;
    }
  }

  /** A store that is away is asked again in the next round. */
  #report(error: unknown): void {
    const isAway = error instanceof StoreError && error.code === "unavailable";
    if (!isAway && !this.#isClosed) this.#options.onError(error);
  }
}

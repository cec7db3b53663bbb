import { type Clock, detach, startTimer } from "@turnwire/base";
import { limits } from "@turnwire/protocol";
import type { Store, StoreHint } from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";
import type { ChangeFeed } from "../loaded/change-feed.ts";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";
import { infoFromRecord } from "../../2-session/record/session-record.ts";

export interface RemoteChangesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly changes: ChangeFeed;
  /** The sessions that this host holds: those that are live report by themselves. */
  readonly sessions: Pick<LoadedSessions, "find" | "has">;
  readonly onError: (error: unknown) => void;
}

interface Pause {
  readonly cancel: () => void;
  /** Something changed since its record was read. */
  isStale: boolean;
}

/** Reports what other hosts do to sessions to those who watch the list here, each session at most once in a while. */
export class RemoteChanges {
  readonly #options: RemoteChangesOptions;
  readonly #pauses = new Map<string, Pause>();
  #isClosed = false;

  constructor(options: RemoteChangesOptions) {
    this.#options = options;
  }

  onHint(hint: StoreHint): void {
    const { changes } = this.#options;
    switch (hint.type) {
      case "events":
        if (hint.isRecordChanged) this.#changed(hint.sessionId);
        return;
      case "removed":
        changes.removed({ id: hint.sessionId, owner: hint.owner });
        return;
      case "gap":
        changes.missed();
        return;
      // A session is shown from its first event on.
      case "created":
      case "released":
      case "inbox":
      case "answer":
      case "value":
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#pauses.values()) cancel();
    this.#pauses.clear();
  }

  #changed(sessionId: string): void {
    const { changes, clock, sessions, onError } = this.#options;
    if (changes.listenerCount === 0 || this.#isClosed || sessions.find(sessionId)) return;
    const pause = this.#pauses.get(sessionId);
    if (pause) {
      pause.isStale = true;
      return;
    }
    const begun: Pause = {
      // This host may be taking it: whether it did is known when the pause is over.
      isStale: sessions.has(sessionId),
      cancel: startTimer(clock, limits.watchPauseMs, () => {
        this.#pauses.delete(sessionId);
        if (begun.isStale) this.#changed(sessionId);
      }),
    };
    this.#pauses.set(sessionId, begun);
    if (!begun.isStale) detach(this.#report(sessionId), onError);
  }

  async #report(sessionId: string): Promise<void> {
    const { store, runtimes, changes, sessions } = this.#options;
    const record = await store.getSession(sessionId);
    // Gone, being made, or taken over meanwhile: that is reported by itself.
    if (!record || record.isPartial || sessions.find(sessionId)) return;
    const info = infoFromRecord(record, runtimes.get(record.runtime));
    changes.changed({ id: sessionId, owner: record.owner, info: () => info });
  }
}

import type { Platform } from "../5-connection/platform.ts";
import type { OpenSessionOptions, Session } from "./session.ts";

/** One holder's part in a session that all of a client share. */
export interface SharedSession {
  readonly session: Session;
  /** Safe to call twice; the session is closed a moment after its last holder let go. */
  release(): void;
}

export interface SharedSessionsOptions {
  readonly platform: Platform;
  /** How long a session without holders stays open. */
  readonly lingerMs: number;
  readonly open: (sessionId: string, options?: OpenSessionOptions) => Session;
}

interface Entry {
  readonly session: Session;
  holders: number;
  stopTimer: () => void;
}

/** Open sessions by id, each opened once however many hold it. */
export class SharedSessions {
  readonly #options: SharedSessionsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: SharedSessionsOptions) {
    this.#options = options;
  }

  share(sessionId: string, options?: OpenSessionOptions): SharedSession {
    const entry = this.#entries.get(sessionId) ?? this.#open(sessionId, options);
    entry.holders += 1;
    entry.stopTimer();
    if (entry.session.getState().connection.status === "failed") entry.session.reconnect();
    let isHeld = true;
    return {
      session: entry.session,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#release(entry);
      },
    };
  }

  #open(sessionId: string, options?: OpenSessionOptions): Entry {
    const session = this.#options.open(sessionId, options);
    const entry: Entry = { session, holders: 0, stopTimer: () => {} };
    this.#entries.set(sessionId, entry);
    return entry;
  }

  #release(entry: Entry): void {
    const { platform, lingerMs } = this.#options;
    entry.holders -= 1;
    if (entry.holders > 0) return;
    entry.stopTimer = platform.startTimer(() => {
      this.#entries.delete(entry.session.id);
      entry.session.close();
    }, lingerMs);
  }
}

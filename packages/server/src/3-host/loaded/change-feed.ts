import { limits, type SessionInfo } from "@turnwire/protocol";
import type { ChangeListener, SessionChange } from "@turnwire/wire";
import { type Clock, startTimer } from "@turnwire/base";

/** What the feed needs of a session. */
interface ChangingSession {
  readonly id: string;
  readonly owner: string;
  info(): SessionInfo;
}

interface Pause {
  cancel: () => void;
  /** Changed since it was reported. */
  changed?: ChangingSession;
}

/**
 * Reports every session that changes: at once, and then at most once in a while, with what is true
 * then. The last state is always reported. Without listeners it does nothing.
 */
export class ChangeFeed {
  readonly #clock: Clock;
  readonly #listeners = new Set<ChangeListener>();
  readonly #pauses = new Map<string, Pause>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopPauses();
    };
  }

  changed(session: ChangingSession): void {
    if (this.#listeners.size === 0) return;
    const pause = this.#pauses.get(session.id);
    if (pause) pause.changed = session;
    else this.#report(session);
  }

  removed({ id, owner }: Pick<ChangingSession, "id" | "owner">): void {
    this.#pauses.get(id)?.cancel();
    this.#pauses.delete(id);
    this.#publish({ type: "removed", owner, sessionId: id });
  }

  projectsChanged(): void {
    this.#publish({ type: "projects" });
  }

  /** Changes of other hosts may have been missed. */
  missed(): void {
    for (const listener of this.#listeners) listener.onMissed();
  }

  /** Reports what is left, then that no more comes. */
  end(): void {
    for (const { changed } of this.#pauses.values()) if (changed) this.#publishInfo(changed);
    this.#stopPauses();
    for (const listener of this.#listeners) listener.onEnd();
    this.#listeners.clear();
  }

  #report(session: ChangingSession): void {
    const pause: Pause = {
      cancel: startTimer(this.#clock, limits.watchPauseMs, () => {
        this.#pauses.delete(session.id);
        if (pause.changed) this.#report(pause.changed);
      }),
    };
    this.#pauses.set(session.id, pause);
    this.#publishInfo(session);
  }

  #publishInfo(session: ChangingSession): void {
    this.#publish({ type: "changed", owner: session.owner, info: session.info() });
  }

  #publish(change: SessionChange): void {
    for (const listener of this.#listeners) listener.onChange(change);
  }

  #stopPauses(): void {
    for (const { cancel } of this.#pauses.values()) cancel();
    this.#pauses.clear();
  }
}

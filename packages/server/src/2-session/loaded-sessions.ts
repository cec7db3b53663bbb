import { detach } from "../1-runtime/detach.ts";
import type { Session } from "./session.ts";

/**
 * The sessions this process holds. Each is loaded once however many ask for it, and loaded again
 * only after it is really gone.
 */
export class LoadedSessions {
  readonly #opening = new Map<string, Promise<Session | undefined>>();
  /** The longest unused first. */
  readonly #loaded = new Map<string, Session>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#loaded.size;
  }

  /** The longest unused first. */
  values(): IterableIterator<Session> {
    return this.#loaded.values();
  }

  has(session: Session): boolean {
    return this.#loaded.get(session.id) === session;
  }

  add(session: Session): void {
    this.#opening.set(session.id, Promise.resolve(session));
    this.#loaded.set(session.id, session);
  }

  /** The session, from memory or by `load`. */
  async open(
    sessionId: string,
    load: () => Promise<Session | undefined>,
  ): Promise<Session | undefined> {
    const opening = this.#opening.get(sessionId) ?? this.#load(sessionId, load);
    const session = await opening;
    if (session && this.has(session)) this.#markUsed(session);
    return session;
  }

  /** Forgets a session at once; a later open waits until it has left. */
  letGo(session: Session, leaving: Promise<void>): void {
    this.#opening.delete(session.id);
    this.#loaded.delete(session.id);
    const gone = leaving
      .catch((error: unknown) => this.#onError(error))
      .finally(() => {
        if (this.#leaving.get(session.id) === gone) this.#leaving.delete(session.id);
      });
    this.#leaving.set(session.id, gone);
  }

  /** Settles when nothing is being loaded any more. */
  async loadingDone(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  /** Settles when everything that was let go has left. */
  async leavingDone(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  #load(sessionId: string, load: () => Promise<Session | undefined>): Promise<Session | undefined> {
    const opening = (async () => {
      await this.#leaving.get(sessionId);
      const session = await load();
      if (session) this.#loaded.set(sessionId, session);
      return session;
    })();
    this.#opening.set(sessionId, opening);
    const forget = () => {
      if (this.#opening.get(sessionId) === opening) this.#opening.delete(sessionId);
    };
    const forgetUnknown = opening.then((session) => {
      if (!session) forget();
    });
    detach(forgetUnknown, forget);
    return opening;
  }

  #markUsed(session: Session): void {
    this.#loaded.delete(session.id);
    this.#loaded.set(session.id, session);
  }
}

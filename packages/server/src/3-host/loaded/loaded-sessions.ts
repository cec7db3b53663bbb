import { detach } from "@turnwire/base";
import { StoreError } from "@turnwire/log";
import type { Session } from "../../2-session/session.ts";

/** Where a session of this process stands; one that has ended has no entry. */
type Entry =
  | {
      readonly phase: "loading";
      readonly loaded: Promise<Session | undefined>;
      /** Whether it is being made: that this fails says nothing of a session that is there already. */
      readonly isNew: boolean;
    }
  | { readonly phase: "live"; readonly session: Session }
  | { readonly phase: "ending"; readonly ended: Promise<void> };

/**
 * The sessions of this process, by id: loading, live, ending. Promises: at most one object acts for a
 * session at any time; a session is loaded again only when the object before it has ended; an object
 * that has ended never changes the entry of the one after it.
 */
export class LoadedSessions {
  /** Sessions that are not loaded and whose lease this process may have: the store did not answer when it was taken or given back. */
  readonly leftLeases = new Set<string>();
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>();
  readonly #onError: (error: unknown) => void;
  #isClosed = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** How many sessions are live. */
  get size(): number {
    return this.live().length;
  }

  /** Whether nothing acts here for any session, and none is being loaded. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** The live sessions, the longest unused first. */
  live(): Session[] {
    return [...this.#entries.values()].flatMap((entry) =>
      entry.phase === "live" ? [entry.session] : [],
    );
  }

  /** The session while it is live. */
  find(sessionId: string): Session | undefined {
    const entry = this.#entries.get(sessionId);
    return entry?.phase === "live" ? entry.session : undefined;
  }

  has(sessionId: string): boolean {
    return this.#entries.has(sessionId);
  }

  /** Makes room by hibernating the longest unused session that has an agent and nothing to do; false when there is none. */
  evictIdle(): boolean {
    const idle = this.live().find((session) => session.hasAgent && session.canHibernate);
    if (idle) detach(idle.hibernate(), this.#onError);
    return idle !== undefined;
  }

  /** The live session, loaded by `load` if need be; undefined when there is none, or after `close`. */
  async open(
    sessionId: string,
    load: () => Promise<Session | undefined>,
  ): Promise<Session | undefined> {
    for (;;) {
      const entry = this.#entries.get(sessionId);
      if (!entry) return this.#isClosed ? undefined : this.#load(sessionId, load, false);
      if (entry.phase === "live") {
        this.markUsed(entry.session);
        return entry.session;
      }
      if (entry.phase === "ending") await entry.ended;
      else if (entry.isNew) await Promise.allSettled([entry.loaded]);
      else if (!(await entry.loaded)) return undefined;
    }
  }

  /** Like `open` for a session that `make` creates; whoever opens it meanwhile waits. */
  async create(
    sessionId: string,
    make: () => Promise<Session | undefined>,
  ): Promise<Session | undefined> {
    for (let entry = this.#entries.get(sessionId); entry; entry = this.#entries.get(sessionId)) {
      if (entry.phase === "live") break;
      await Promise.allSettled([entry.phase === "ending" ? entry.ended : entry.loaded]);
    }
    if (this.#isClosed) return undefined;
    // A live one keeps its entry: the store refuses the second, and `make` rejects.
    return this.#entries.has(sessionId) ? make() : this.#load(sessionId, make, true);
  }

  /** Called when a session's end begins; later opens wait until it has ended. */
  onEnding(session: Session, ended: Promise<void>): void {
    const entry = this.#entries.get(session.id);
    if (entry?.phase === "live" && entry.session === session) this.#await(session.id, ended);
  }

  /** The session did something: others are longer unused. */
  markUsed(session: Session): void {
    const entry = this.#entries.get(session.id);
    if (entry?.phase !== "live" || entry.session !== session) return;
    this.#entries.delete(session.id);
    this.#entries.set(session.id, entry);
  }

  /** Ends everything that is loaded or on its way now; resolves when all have ended. */
  async endAll(end: (session: Session) => Promise<unknown>): Promise<void> {
    const entries = [...this.#entries.values()];
    const loaded = entries.map(async (entry) => {
      if (entry.phase === "ending") return entry.ended;
      const session = entry.phase === "live" ? entry.session : await entry.loaded;
      return session && end(session);
    });
    // What goes wrong is reported where an end is awaited.
    await Promise.allSettled(loaded);
  }

  /** Loads no more, and ends everything; resolves when all have ended. */
  async close(end: (session: Session) => Promise<unknown>): Promise<void> {
    this.#isClosed = true;
    while (this.#entries.size > 0) {
      await Promise.all([...this.#entries.values()].map((entry) => this.#closeEntry(entry, end)));
    }
  }

  /** What goes wrong is reported where an end is awaited, and is the answer to whoever asked for a load. */
  async #closeEntry(entry: Entry, end: (session: Session) => Promise<unknown>): Promise<void> {
    const closing =
      entry.phase === "live"
        ? end(entry.session)
        : entry.phase === "loading"
          ? entry.loaded
          : entry.ended;
    await Promise.allSettled([closing]);
  }

  #load(
    sessionId: string,
    load: () => Promise<Session | undefined>,
    isNew: boolean,
  ): Promise<Session | undefined> {
    const entry: Entry = {
      phase: "loading",
      isNew,
      loaded: (async () => {
        try {
          return await load();
        } catch (error) {
          this.#entries.delete(sessionId);
          if (error instanceof StoreError && error.code === "unavailable") {
            this.leftLeases.add(sessionId);
          }
          throw error;
        }
      })().then((session) => {
        this.leftLeases.delete(sessionId);
        if (!session) this.#entries.delete(sessionId);
        else if (session.ended) this.#await(sessionId, session.ended);
        else this.#entries.set(sessionId, { phase: "live", session });
        return session;
      }),
    };
    this.#entries.set(sessionId, entry);
    detach(entry.loaded, () => undefined);
    return entry.loaded;
  }

  #await(sessionId: string, ended: Promise<void>): void {
    const entry: Entry = {
      phase: "ending",
      ended: ended
        .catch((error: unknown) => this.#onError(error))
        .then(() => {
          if (this.#entries.get(sessionId) === entry) this.#entries.delete(sessionId);
        }),
    };
    this.#entries.set(sessionId, entry);
  }
}

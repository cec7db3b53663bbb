import { accepted, type Principal, canReach, type Result } from "@turnwire/protocol";
import { type SessionRecord, type Store, StoreError } from "@turnwire/log";
import type { OpenSession } from "@turnwire/wire";
import { unknownSession } from "../2-session/port/host-rejection.ts";
import type { Session } from "../2-session/session.ts";
import type { LoadedSessions } from "./loaded/loaded-sessions.ts";
import { canBeRead, type ReadOnlySessions } from "./read-only/read-only-sessions.ts";
import type { FollowedSession } from "./remote/followed-session.ts";
import type { FollowedSessions } from "./remote/followed-sessions.ts";

export interface SessionDirectoryOptions {
  readonly store: Store;
  /** The sessions that this host holds. */
  readonly sessions: Pick<LoadedSessions, "has">;
  readonly followed: Pick<FollowedSessions, "find" | "follow">;
  readonly readOnly: ReadOnlySessions;
  /** Whether this host may run the session. */
  readonly mayRun: (record: SessionRecord) => boolean;
  /** Takes the session, if no other host has it. */
  readonly hold: (sessionId: string) => Promise<Session | undefined>;
}

/** Finds sessions by their ids. One of somebody else is answered like one that does not exist. */
export class SessionDirectory {
  readonly #options: SessionDirectoryOptions;

  constructor(options: SessionDirectoryOptions) {
    this.#options = options;
  }

  /** The session as this host holds or follows it; where neither can be, what can be read of it. */
  async open(sessionId: string, principal: Principal): Promise<Result<OpenSession>> {
    const { store, readOnly } = this.#options;
    const damaged = readOnly.findDamaged(sessionId);
    if (damaged) return reached(damaged, principal);
    try {
      const opened = await this.openToAct(sessionId, principal);
      if (opened.ok) readOnly.drop(sessionId, "released");
      return opened;
    } catch (error) {
      if (!canBeRead(error, store)) throw error;
      const record = await this.#find(sessionId, principal);
      return record ? accepted(await readOnly.read(record, error)) : unknownSession(sessionId);
    }
  }

  /** The session: held already, followed already, held if no other host has it, else followed. */
  async openToAct(
    sessionId: string,
    principal: Principal,
  ): Promise<Result<Session | FollowedSession>> {
    const { sessions, followed, mayRun } = this.#options;
    if (!sessions.has(sessionId)) {
      const known = await followed.find(sessionId);
      if (known) return reached(known, principal);
      const record = await this.#find(sessionId, principal);
      if (!record) return unknownSession(sessionId);
      if (!mayRun(record)) return accepted(await followed.follow(record));
    }
    const session = await this.#holdIfReachable(sessionId);
    if (session) return reached(session, principal);
    const record = await this.#find(sessionId, principal);
    return record ? accepted(await followed.follow(record)) : unknownSession(sessionId);
  }

  /** The session as this host holds it; one of somebody else is not even loaded. */
  async openToHold(sessionId: string, principal: Principal): Promise<Result<Session>> {
    const { sessions, hold } = this.#options;
    if (!sessions.has(sessionId) && !(await this.#find(sessionId, principal))) {
      return unknownSession(sessionId);
    }
    const session = await hold(sessionId);
    return session ? reached(session, principal) : unknownSession(sessionId);
  }

  /** Takes a session whose host does not answer. */
  async takeOver(sessionId: string): Promise<void> {
    const { store, sessions, mayRun, hold } = this.#options;
    if (sessions.has(sessionId)) return;
    const record = await store.getSession(sessionId);
    if (record && !record.isPartial && mayRun(record)) await hold(sessionId);
  }

  /** Undefined also where this host cannot hold sessions now: what others write is followed meanwhile. */
  async #holdIfReachable(sessionId: string): Promise<Session | undefined> {
    const { store, hold } = this.#options;
    try {
      return await hold(sessionId);
    } catch (error) {
      const isAway = error instanceof StoreError && error.code === "unavailable";
      if (!isAway || !store.isShared) throw error;
      return undefined;
    }
  }

  async #find(sessionId: string, principal: Principal): Promise<SessionRecord | undefined> {
    const record = await this.#options.store.getSession(sessionId);
    if (!record || record.isPartial) return undefined;
    return canReach(principal, { id: sessionId, owner: record.owner }) ? record : undefined;
  }
}

function reached<Opened extends OpenSession>(
  session: Opened,
  principal: Principal,
): Result<Opened> {
  return canReach(principal, session) ? accepted(session) : unknownSession(session.id);
}

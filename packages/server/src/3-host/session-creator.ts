import type { Clock } from "@turnwire/base";
import {
  accepted,
  type CommandOf,
  type CreateSession,
  rejected,
  type Result,
  type SessionInfo,
  type Principal,
} from "@turnwire/protocol";
import { type SessionRecord, StoreError } from "@turnwire/log";
import { forkSession } from "./fork.ts";
import { storageFor } from "./membership/host-presence.ts";
import { shuttingDown } from "../2-session/port/host-rejection.ts";
import type { LoadedSessions } from "./loaded/loaded-sessions.ts";
import type { Policies } from "./policy/policies.ts";
import type { Projects, Worktrees } from "@turnwire/workspace";
import type { RuntimeCatalog } from "./runtime/runtime-catalog.ts";
import { Session } from "../2-session/session.ts";
import {
  type Beginning,
  defaultsFor,
  type PlannedSession,
  planSession,
} from "./creation/session-creation.ts";
import type { SessionHostOptions } from "./creation/session-host-options.ts";
import type { SessionOpener } from "./session-opener.ts";
import type { SessionSettings } from "../2-session/session-settings.ts";
import { admitPlace } from "./creation/admit-place.ts";
import { placeSession } from "./creation/place-session.ts";

export interface SessionCreatorOptions {
  /** What the host was made with. */
  readonly host: SessionHostOptions;
  readonly projects: Projects;
  readonly worktrees: Worktrees;
  readonly policy: Policies;
  readonly catalog: RuntimeCatalog;
  readonly clock: Clock;
  readonly opener: SessionOpener;
  readonly sessions: LoadedSessions;
  readonly settings: SessionSettings;
}

/** Makes new sessions: checks what was asked for, finds them a place to work in, and stores them. */
export class SessionCreator {
  readonly #options: SessionCreatorOptions;

  constructor(options: SessionCreatorOptions) {
    this.#options = options;
  }

  async create(
    options: CreateSession,
    principal: Principal,
    beginning?: Beginning,
  ): Promise<Result<Session>> {
    const { host, worktrees } = this.#options;
    const planned = await this.plan(options, principal, beginning);
    if (!planned.ok) return planned;
    const storage = beginning?.isDialledIn === true ? undefined : storageFor(host);
    const record = { ...planned.value.record, ...(storage !== undefined && { storage }) };
    const placement = { worktrees, store: host.store, principal };
    return placeSession(record, placement, (placed) => this.#store(placed, beginning));
  }

  /** Checks everything about a new session, and makes nothing of it. */
  plan(
    options: CreateSession,
    principal: Principal,
    beginning?: Beginning,
  ): Promise<Result<PlannedSession>> {
    const { host, projects, worktrees, catalog, clock, policy } = this.#options;
    if (principal.token?.sessionId !== undefined) {
      const message = "This token is for one session only: it cannot make another.";
      return Promise.resolve(rejected("forbidden", message));
    }
    return planSession(options, {
      defaultRuntime: () => catalog.defaultName(),
      admit: (cwd) => admitPlace(cwd, { projects, worktrees }, { principal, beginning }),
      isDialledIn: beginning?.isDialledIn === true,
      principal,
      runtimes: catalog.byName,
      clock,
      policy,
      ...defaultsFor(options, host, beginning),
    });
  }

  /** Copies a session. */
  fork(
    source: Session,
    command: CommandOf<"fork">,
    principal: Principal,
  ): Promise<Result<SessionInfo>> {
    const { worktree } = source.control.session;
    const { host, catalog } = this.#options;
    const context = { runtimes: catalog.byName, store: host.store, command };
    return forkSession(source, context, async ({ options, past }) => {
      const beginning = { past, isCopy: true, ...(worktree && { worktree }) };
      const created = await this.create(options, principal, beginning);
      return created.ok ? accepted(created.value.info()) : created;
    });
  }

  async #store(record: SessionRecord, beginning: Beginning | undefined): Promise<Result<Session>> {
    const { sessions, opener, settings } = this.#options;
    try {
      const session = await sessions.create(record.sessionId, async () => {
        const loaded = await opener.create(record, beginning?.past);
        const created = new Session(loaded, settings);
        created.start();
        return created;
      });
      return session ? accepted(session) : shuttingDown();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "session_exists") throw error;
      return rejected("session_exists", `Session ${record.sessionId} already exists.`);
    }
  }
}

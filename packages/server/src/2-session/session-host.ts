import { randomUUID } from "node:crypto";
import { type Clock, detach, type Logger, silentLogger, systemClock } from "@turnwire/base";
import {
  accepted,
  type CommandOf,
  type CreateSession,
  rejected,
  type Result,
  type RuntimeInfo,
  type SessionInfo,
  type SessionList,
  type WorktreeChoice,
  type WorktreeRemoval,
} from "@turnwire/protocol";
import { type SessionRecord, StoreError, type StoreHealth } from "@turnwire/log";
import type { RuntimeHistory } from "../1-runtime/runtime.ts";
import { ChangeFeed } from "./change-feed.ts";
import { CliAdoption } from "./cli-adoption.ts";
import { forkSession } from "./fork.ts";
import { renewLeases } from "./lease-renewal.ts";
import type { OpenSession } from "./open-session.ts";
import type { Policies } from "./policy/policies.ts";
import type { Projects } from "./project/projects.ts";
import { canReach, type Principal } from "./principal.ts";
import { PastSessions } from "./history.ts";
import { createPlaces } from "./host-places.ts";
import { shuttingDown, unknownSession } from "./host-rejection.ts";
import { RunSlots } from "./run-slot.ts";
import { RuntimeCatalog } from "./runtime-catalog.ts";
import { LoadedSessions } from "./loaded-sessions.ts";
import { recoverSessions } from "./recovery.ts";
import { ReadOnlySessions } from "./read-only-sessions.ts";
import { Session } from "./session.ts";
import { type Beginning, defaultsFor, planSession } from "./session-creation.ts";
import { deleteSession } from "./session-deletion.ts";
import { serverStopped } from "./session-end.ts";
import { Commits, type HostMetrics } from "./session-log.ts";
import { SessionOpener } from "./session-opener.ts";
import {
  listProviderSessions,
  listSessions,
  type ListSource,
  type SessionQuery,
} from "./session-list.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { TrustedDirectories } from "./trust/trusted-directories.ts";
import { checkedCatalog } from "./ui/catalog-check.ts";
import { admitPlace } from "./worktree/admit-place.ts";
import { placeSession } from "./worktree/place-session.ts";
import type { Worktrees } from "./worktree/worktrees.ts";
import { sessionLimits, type SessionHostOptions } from "./session-host-options.ts";

export type { SessionHostOptions } from "./session-host-options.ts";

const leaseTtlMs = 30_000;

/** Every session this process holds: creates, loads, puts to sleep and lets go of them. */
export class SessionHost {
  /** What happens to any session of this host, as lists show it. */
  readonly changes: ChangeFeed;
  /** The directories in which sessions can be created. */
  readonly projects: Projects;
  /** Conversations that agents' own programs keep on this machine. */
  readonly past = new PastSessions(this);
  /** Makes a CLI that dialled in the agent of a session. */
  readonly adoptCli: CliAdoption["adopt"];
  /** Which directories may configure the agents that work in them. */
  readonly trust: TrustedDirectories;
  /** The git worktrees that were made for sessions. */
  readonly worktrees: Worktrees;
  /** What decides what agents may do. */
  readonly policy: Policies;
  /** The components that can be shown in every new session. */
  readonly catalog: ReturnType<typeof checkedCatalog>;
  readonly #options: SessionHostOptions;
  readonly #catalog: RuntimeCatalog;
  readonly #settings: SessionSettings;
  readonly #slots: RunSlots;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #commits: Commits;
  readonly #opener: SessionOpener;
  readonly #sessions = new LoadedSessions((error) => this.report(error));
  readonly #readOnly: ReadOnlySessions;
  readonly #clis: CliAdoption;
  #isClosing = false;
  readonly #cancelRenewal: () => void;

  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#catalog = new RuntimeCatalog({ ...options, onError: (error) => this.report(error) });
    const runtimes = this.#catalog.byName;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#commits = new Commits(this.#logger);
    this.changes = new ChangeFeed(this.#clock);
    const { trust, projects, worktrees, policy } = createPlaces(options, {
      clock: this.#clock,
      logger: this.#logger,
      changes: this.changes,
      sessions: () => this.#sessions.live(),
      onError: (error) => this.report(error),
    });
    this.trust = trust;
    this.projects = projects;
    this.worktrees = worktrees;
    this.policy = policy;
    this.catalog = checkedCatalog(options.catalog);
    this.#slots = new RunSlots(options.maxLiveRuns ?? 16, () => this.#evictIdle());
    this.#settings = {
      store: options.store,
      slots: this.#slots,
      clock: this.#clock,
      policy: this.policy,
      ...sessionLimits(options),
      fork: (source, command, principal) => this.#fork(source, command, principal),
      onEnding: (session, ended) => this.#sessions.onEnding(session, ended),
      onUsed: (session) => this.#sessions.markUsed(session),
      onAppended: (commit) => this.#commits.take(commit),
      onChanged: (session) => this.#onChanged(session),
      onError: (error) => this.report(error),
    };
    this.#opener = new SessionOpener({
      store: options.store,
      trust: this.trust,
      readmit: (cwd, worktree) => this.worktrees.readmit(cwd, worktree),
      catalog: this.catalog,
      ringSize: options.ringSize ?? 1000,
      clock: this.#clock,
      holder: randomUUID(),
      leaseTtlMs,
      runtimes,
      onAppended: this.#settings.onAppended,
      onError: this.#settings.onError,
    });
    this.#readOnly = new ReadOnlySessions({
      store: options.store,
      clock: this.#clock,
      runtimes,
      open: (sessionId, principal) => this.open(sessionId, principal),
    });
    this.#clis = new CliAdoption({ host: this, store: options.store, runtimes });
    this.adoptCli = (link, principal) => this.#clis.adopt(link, principal);
    this.#cancelRenewal = renewLeases({
      clock: this.#clock,
      ttlMs: leaseTtlMs,
      sessions: () => this.#sessions.live(),
      onError: (error) => this.report(error),
    });
  }

  get metrics(): HostMetrics {
    return {
      sessionsLoaded: this.#sessions.size,
      liveRuns: this.#slots.taken,
      ...this.#commits.counts,
    };
  }

  /** Whether what happens can be stored. */
  storeHealth(): Promise<StoreHealth> {
    return this.#options.store.health();
  }

  /** What agents' own programs keep of their conversations, by the name of the runtime. */
  get histories(): ReadonlyMap<string, RuntimeHistory> {
    return this.#catalog.histories;
  }

  /** Our sessions by the ids that the histories have for them. */
  providerSessions(): Promise<ReadonlyMap<string, string>> {
    return listProviderSessions(this.#options.store, this.histories);
  }

  async create(
    options: CreateSession,
    principal: Principal,
    beginning?: Beginning,
  ): Promise<Result<Session>> {
    if (this.#isClosing) return shuttingDown();
    const context = {
      defaultRuntime: () => this.#catalog.defaultName(),
      admit: (cwd: string | undefined) => admitPlace(cwd, this, { principal, beginning }),
      isDialledIn: beginning?.isDialledIn === true,
      principal,
      runtimes: this.#catalog.byName,
      clock: this.#clock,
      policy: this.policy,
      ...defaultsFor(options, this.#options, beginning),
    };
    const planned = await planSession(options, context);
    if (!planned.ok) return planned;
    const placement = { worktrees: this.worktrees, store: this.#options.store, principal };
    return placeSession(planned.value.record, placement, (record) =>
      this.#create(record, beginning),
    );
  }

  /** A session of somebody else is answered like one that does not exist, and is not even loaded. */
  async open(sessionId: string, principal: Principal): Promise<Result<Session>> {
    if (this.#isClosing) return shuttingDown();
    if (!this.#sessions.has(sessionId)) {
      const record = await this.#options.store.getSession(sessionId);
      if (!record || record.isPartial || !canReach(principal, record.owner)) {
        return unknownSession(sessionId);
      }
    }
    const session = await this.#load(sessionId);
    if (!session || !canReach(principal, session.owner)) return unknownSession(sessionId);
    return accepted(session);
  }

  /** The session, or where this process cannot hold it what can be read of it. */
  async openOrRead(sessionId: string, principal: Principal): Promise<Result<OpenSession>> {
    return (await this.#readOnly.openOrRead(sessionId, principal)) ?? unknownSession(sessionId);
  }

  list(query: SessionQuery): Promise<SessionList> {
    return listSessions(query, this.listSource);
  }

  get listSource(): ListSource {
    const rangeOf = (id: string) => this.#readOnly.rangeOf(id);
    return { store: this.#options.store, runtimes: this.#catalog.byName, rangeOf };
  }

  /** What was done with the session's worktree; undefined where it had none. */
  async delete(
    sessionId: string,
    principal: Principal,
    choice: WorktreeChoice = "remove",
  ): Promise<Result<WorktreeRemoval | undefined>> {
    return deleteSession(sessionId, {
      principal,
      choice,
      worktrees: this.worktrees,
      open: (id, asking) => this.open(id, asking),
      readOnly: this.#readOnly,
      changes: this.changes,
      logger: this.#logger,
    });
  }

  /** What is known of the runtimes now; checks what they log in with, but starts no agent. */
  runtimes(): Promise<RuntimeInfo[]> {
    return this.#catalog.describe();
  }

  /** Begins to ask the agents for their models and commands; `runtimes` has the answers later. */
  probeRuntimes(): void {
    this.#catalog.probe();
  }

  /** Settles what a dead process left open in any session; opening a session does the same for it. */
  async recover(): Promise<void> {
    await recoverSessions(this.#options.store, {
      isEnding: () => this.#isClosing,
      load: (sessionId) => this.#load(sessionId),
      discard: async (sessionId) => {
        if (!this.#sessions.has(sessionId)) await this.#opener.discard(sessionId);
      },
      onError: (error) => this.report(error),
    });
    await this.worktrees.recover();
  }

  /** Puts every session to sleep; turns in flight are settled honestly. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRenewal();
    this.#readOnly.close();
    await this.worktrees.close();
    await this.#clis.close();
    await this.#sessions.close((session) => session.end({ type: "release", cause: serverStopped }));
    this.changes.end();
    this.projects.close();
    this.policy.close();
    await this.#catalog.close();
  }

  #onChanged(session: Session): void {
    this.changes.changed(session);
    const { cwd } = session.control.session;
    if (cwd !== undefined && this.changes.listenerCount > 0) this.projects.touch(cwd);
  }

  async #create(record: SessionRecord, beginning: Beginning | undefined): Promise<Result<Session>> {
    try {
      const session = await this.#sessions.create(record.sessionId, async () => {
        const loaded = await this.#opener.create(record, beginning?.past);
        const created = new Session(loaded, this.#settings);
        created.start();
        return created;
      });
      return session ? accepted(session) : shuttingDown();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "session_exists") throw error;
      return rejected("session_exists", `Session ${record.sessionId} already exists.`);
    }
  }

  async #fork(
    source: Session,
    command: CommandOf<"fork">,
    principal: Principal,
  ): Promise<Result<SessionInfo>> {
    const { worktree } = source.control.session;
    const context = { runtimes: this.#catalog.byName, store: this.#options.store, command };
    return forkSession(source, context, async ({ options, past }) => {
      const beginning = { past, isCopy: true, ...(worktree && { worktree }) };
      const created = await this.create(options, principal, beginning);
      return created.ok ? accepted(created.value.info()) : created;
    });
  }

  #load(sessionId: string): Promise<Session | undefined> {
    return this.#sessions.open(sessionId, async () => {
      const loaded = await this.#opener.open(sessionId);
      if (!loaded) return undefined;
      const session = new Session(loaded, this.#settings);
      session.recover();
      this.#readOnly.drop(sessionId, "released");
      return session;
    });
  }

  /** Makes room by hibernating the longest unused session that has an agent and nothing to do. */
  #evictIdle(): boolean {
    for (const session of this.#sessions.live()) {
      if (!session.isLive || !session.isQuiet) continue;
      detach(session.hibernate(), (error) => this.report(error));
      return true;
    }
    return false;
  }

  report(error: unknown): void {
    if (this.#options.onError) this.#options.onError(error);
    else this.#logger.error({ error }, "failure in the background");
  }
}

/** Opens a host and, behind the scenes, settles what an earlier process left. */
export function createSessionHost(options: SessionHostOptions): SessionHost {
  const host = new SessionHost(options);
  detach(host.recover(), (error) => host.report(error));
  return host;
}

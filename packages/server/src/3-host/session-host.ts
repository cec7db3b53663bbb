import { randomUUID } from "node:crypto";
import { type Clock, type Logger, silentLogger, systemClock } from "@turnwire/base";
import {
  type CreateSession,
  type HostInfo,
  type Result,
  type RuntimeInfo,
  type SessionList,
  type WorktreeChoice,
  type WorktreeRemoval,
  type Principal,
} from "@turnwire/protocol";
import type { StoreHealth } from "@turnwire/log";
import type { RuntimeHistory } from "@turnwire/runtime";
import type { Projects, TrustedDirectories, Worktrees } from "@turnwire/workspace";
import { type Sharing, sharingOf } from "@turnwire/log/list";
import { ChangeFeed } from "./loaded/change-feed.ts";
import { CliAdoption } from "./cli-adoption.ts";
import { listHosts } from "./host-info.ts";
import type { DrainOptions } from "./membership/drain.ts";
import { leaseMsFor } from "./membership/host-membership.ts";
import { HostPresence, storageFor } from "./membership/host-presence.ts";
import { type OpenSession } from "@turnwire/wire";
import { sharedEvaluator } from "../2-session/evaluation/evaluator.ts";
import { checkAudit, type CheckedAudit } from "./audit/audit-chain.ts";
import type { AuditAct } from "./audit/audit-log.ts";
import { commandAct, outcomeOf } from "./audit/command-act.ts";
import type { Policies } from "./policy/policies.ts";
import { PastSessions } from "./history.ts";
import { closePlaces, createPlaces } from "./host-places.ts";
import { shuttingDown } from "../2-session/port/host-rejection.ts";
import { createRunSlots, type HostRunSlots } from "./slot/run-slot.ts";
import { RuntimeCatalog } from "./runtime/runtime-catalog.ts";
import { LoadedSessions } from "./loaded/loaded-sessions.ts";
import { recoverSessions } from "../2-session/agent/recovery.ts";
import { RemoteSessions } from "./remote/remote-sessions.ts";
import { ReadOnlySessions } from "./read-only/read-only-sessions.ts";
import { Session } from "../2-session/session.ts";
import type { Beginning } from "./creation/session-creation.ts";
import { SessionCreator } from "./session-creator.ts";
import { SessionDirectory } from "./session-directory.ts";
import { deleteSession } from "./session-deletion.ts";
import { serverStopped } from "../2-session/session-end.ts";
import { Commits, type HostMetrics } from "../2-session/record/session-log.ts";
import { SessionOpener } from "./session-opener.ts";
import {
  listProviderSessions,
  listSessions,
  type ListSource,
  type SessionQuery,
} from "./session-list.ts";
import type { SessionSettings } from "../2-session/session-settings.ts";
import { CutOffError, StoreGate } from "./membership/store-gate.ts";
import { StoreMeter } from "./store-meter.ts";
import { checkedCatalog } from "../2-session/decide/catalog-check.ts";
import { sessionLimits, type SessionHostOptions } from "./creation/session-host-options.ts";

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
  /** How its store does. */
  readonly storeMeter = new StoreMeter();
  /** The hosts that share the store, this one among them. */
  readonly hosts: () => Promise<HostInfo[]>;
  /** What this host has in common with others over the same store. */
  readonly sharing: Sharing;
  readonly #options: SessionHostOptions;
  readonly #catalog: RuntimeCatalog;
  readonly #settings: SessionSettings;
  readonly #slots: HostRunSlots;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #commits: Commits;
  readonly #opener: SessionOpener;
  readonly #creator: SessionCreator;
  readonly #sessions = new LoadedSessions((error) => this.report(error));
  readonly #remote: RemoteSessions;
  readonly #readOnly: ReadOnlySessions;
  readonly #directory: SessionDirectory;
  readonly #clis: CliAdoption;
  readonly #gate = new StoreGate();
  readonly #presence: HostPresence;
  #isClosing = false;
  /** Settles when everything that was reported so far has been recorded. */
  #audited: Promise<unknown> = Promise.resolve();

  constructor(given: SessionHostOptions) {
    const options = { ...given, store: this.#gate.guard(this.storeMeter.measure(given.store)) };
    this.#options = options;
    const onError = (error: unknown): void => this.report(error);
    this.#catalog = new RuntimeCatalog({ ...options, onError });
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    const { hostId = randomUUID(), ringSize = 1000, store } = options;
    const runtimes = this.#catalog.byName;
    const shared = { store, clock: this.#clock, logger: this.#logger, runtimes, onError };
    this.#commits = new Commits(this.#logger);
    this.changes = new ChangeFeed(this.#clock);
    const places = createPlaces(options, {
      ...shared,
      changes: this.changes,
      sessions: () => this.#sessions.live(),
    });
    this.trust = places.trust;
    this.projects = places.projects;
    this.worktrees = places.worktrees;
    this.policy = places.policy;
    this.catalog = checkedCatalog(options.catalog);
    this.sharing = sharingOf(options.store);
    this.#slots = createRunSlots(options, {
      ...shared,
      holder: hostId,
      evictIdle: () => this.#sessions.evictIdle(),
    });
    this.#settings = {
      ...shared,
      slots: this.#slots,
      policy: this.policy,
      evaluator: options.evaluator ?? sharedEvaluator,
      ...sessionLimits(options),
      storage: storageFor(options),
      catalog: this.catalog,
      isDraining: () => this.#presence.isDraining,
      fork: async (source, command, principal) =>
        this.#isClosing ? shuttingDown() : this.#creator.fork(source, command, principal),
      remove: (sessionId, principal, choice) => this.delete(sessionId, principal, choice),
      checkHandOver: (sessionId) => this.#clis.checkHandOver(sessionId),
      onEnding: (session, ended) => this.#sessions.onEnding(session, ended),
      onLeaseLeft: (sessionId) => this.#sessions.leftLeases.add(sessionId),
      onUsed: (session) => this.#sessions.markUsed(session),
      onCommand: (session, command, principal) => {
        const act = commandAct(session.control, command, principal);
        return (result) => {
          if (act) this.audit({ ...act, session_id: session.id, outcome: outcomeOf(result) });
        };
      },
      onAppended: (commit) => this.#commits.take(commit),
      onChanged: (session) => this.#onChanged(session),
    };
    this.hosts = () => listHosts({ registry: options.store, hostId, own: () => this.metrics });
    this.#opener = new SessionOpener({
      ...shared,
      trust: this.trust,
      readmit: (cwd, worktree) => this.worktrees.readmit(cwd, worktree),
      catalog: this.catalog,
      ringSize,
      holder: hostId,
      leaseTtlMs: leaseMsFor(options),
      onAppended: this.#settings.onAppended,
    });
    this.#creator = new SessionCreator({
      host: options,
      ...places,
      catalog: this.#catalog,
      clock: this.#clock,
      opener: this.#opener,
      sessions: this.#sessions,
      settings: this.#settings,
    });
    this.#remote = new RemoteSessions({
      ...shared,
      holder: hostId,
      ringSize,
      leaseTtlMs: leaseMsFor(options),
      changes: this.changes,
      sessions: this.#sessions,
      takeOver: (sessionId) => this.#directory.takeOver(sessionId),
    });
    this.#readOnly = new ReadOnlySessions({
      ...shared,
      open: (sessionId, principal) => this.#openToAct(sessionId, principal),
    });
    this.#directory = new SessionDirectory({
      store,
      sessions: this.#sessions,
      followed: this.#remote.followed,
      readOnly: this.#readOnly,
      mayRun: (record) => this.#presence.mayRun(record),
      hold: (sessionId) => this.#load(sessionId),
    });
    this.#clis = new CliAdoption({ host: this, ...shared, remote: this.#remote });
    this.adoptCli = (link, principal) => this.#clis.adopt(link, principal);
    this.#presence = new HostPresence({
      host: options,
      ...shared,
      hostId,
      sessions: this.#sessions,
      liveRuns: () => this.#slots.taken,
      take: (sessionId) => this.#load(sessionId),
      discard: (sessionId) => this.#opener.discard(sessionId),
      gate: this.#gate,
      onCutOff: () => this.#remote.release(),
    });
  }

  get metrics(): HostMetrics {
    return {
      sessionsLoaded: this.#sessions.size,
      liveRuns: this.#slots.taken,
      ...this.#remote.counts,
      takeovers: this.#presence.takeovers,
      ...this.#commits.counts,
    };
  }

  /** Whether this host knows that it cannot reach the store which it shares with others. */
  get isCutOff(): boolean {
    return this.#gate.isShut;
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
    if (this.#isClosing || this.#presence.isDraining) return shuttingDown();
    this.#presence.check();
    return this.#creator.create(options, principal, beginning);
  }

  async checkCreation(options: CreateSession, principal: Principal): Promise<Result<unknown>> {
    if (this.#isClosing || this.#presence.isDraining) return shuttingDown();
    return this.#creator.plan(options, principal);
  }

  /** The session as this host holds it. */
  async open(sessionId: string, principal: Principal): Promise<Result<Session>> {
    return this.#isClosing ? shuttingDown() : this.#directory.openToHold(sessionId, principal);
  }

  /** The session, held or followed; or where neither can be, what can be read of it. */
  async openOrRead(sessionId: string, principal: Principal): Promise<Result<OpenSession>> {
    return this.#isClosing ? shuttingDown() : this.#directory.open(sessionId, principal);
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
      open: (id, asking) => this.#openToAct(id, asking),
      readOnly: this.#readOnly,
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

  /** Begins nothing new and resolves when no turn runs any more, or the limit is reached; `close` comes next. */
  drain(options: DrainOptions): Promise<void> {
    return this.#presence.drain(options);
  }

  /** Puts every session to sleep; turns in flight are settled honestly. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#presence.stopTaking();
    this.#readOnly.close();
    this.#remote.close();
    await this.worktrees.close();
    await this.#clis.close();
    await this.#sessions.close((session) => session.end({ type: "release", cause: serverStopped }));
    this.#slots.close();
    await this.#presence.leave();
    this.changes.end();
    closePlaces(this);
    await this.#catalog.close();
    await this.#audited;
  }

  async #openToAct(sessionId: string, principal: Principal) {
    return this.#isClosing ? shuttingDown() : this.#directory.openToAct(sessionId, principal);
  }

  #onChanged(session: Session): void {
    this.changes.changed(session);
    const { cwd } = session.control.session;
    if (cwd !== undefined && this.changes.listenerCount > 0) this.projects.touch(cwd);
  }

  #load(sessionId: string): Promise<Session | undefined> {
    return this.#sessions.open(sessionId, async () => {
      this.#presence.check();
      if (this.#clis.hasHandedOver(sessionId) || !this.#presence.mayHold) return undefined;
      const loaded = await this.#opener.open(sessionId);
      if (!loaded) return undefined;
      const session = new Session(loaded, this.#settings);
      session.recover();
      this.#readOnly.drop(sessionId, "released");
      this.#remote.drop(sessionId);
      return session;
    });
  }

  /** Records an act in the audit log, where there is one. */
  audit(act: AuditAct): void {
    const recorded = this.#options.audit?.record(act).catch((error) => this.report(error));
    this.#audited = Promise.all([this.#audited, recorded]);
  }

  /** Undefined where no audit log is kept. */
  async readAudit(): Promise<CheckedAudit | undefined> {
    const { audit } = this.#options;
    return audit && checkAudit(await audit.read());
  }

  report(error: unknown): void {
    if (error instanceof CutOffError) return;
    if (this.#options.onError) this.#options.onError(error);
    else this.#logger.error({ error }, "failure in the background");
  }
}

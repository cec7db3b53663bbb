import { randomUUID } from "node:crypto";
import type {
  CommandOf,
  CreateSession,
  EventData,
  RuntimeInfo,
  SessionActivity,
  SessionInfo,
  SessionStatus,
} from "@turnwire/protocol";
import { draft, PROTOCOL_VERSION } from "@turnwire/protocol";
import type { Clock } from "../1-runtime/clock.ts";
import { systemClock } from "../1-runtime/clock.ts";
import { detach } from "../1-runtime/detach.ts";
import { missingRuntime } from "../1-runtime/missing-runtime.ts";
import type { Runtime } from "../1-runtime/runtime.ts";
import { refuseMode } from "./decide/setting.ts";
import { copiedEvents, planFork } from "./fork.ts";
import type { Principal } from "./principal.ts";
import { canReach } from "./principal.ts";
import type { Result } from "./result.ts";
import { accepted, rejected } from "./result.ts";
import { RunSlots } from "./run-slot.ts";
import { Session } from "./session.ts";
import { loadSession } from "./session-loader.ts";
import { infoFromRecord } from "./session-record.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { Lease, SessionRecord, Store } from "./store.ts";
import { StoreError } from "./store.ts";
import { startTimer } from "./timer.ts";
import { resolveWorkingDirectory } from "./working-directory.ts";

export interface SessionHostOptions {
  readonly store: Store;
  readonly runtimes: readonly Runtime[];
  /** The runtime of sessions that name none. */
  readonly defaultRuntime: string;
  /** Directories in which agents may work; a session that names none works in the first. */
  readonly roots: readonly string[];
  readonly ringSize?: number;
  readonly idleMs?: number;
  readonly maxLiveRuns?: number;
  readonly maxQueue?: number;
  readonly interruptMs?: number;
  readonly requestTimeoutMs?: number;
  /** Keep only about this many events per session; older ones become a base state. */
  readonly retainEvents?: number;
  readonly clock?: Clock;
  readonly onError?: (error: unknown) => void;
}

export interface SessionQuery {
  readonly principal: Principal;
  readonly limit: number;
  readonly after?: string;
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
}

export interface HostMetrics {
  readonly sessionsLoaded: number;
  readonly liveRuns: number;
  readonly eventsAppended: number;
  readonly commits: number;
}

const leaseTtlMs = 30_000;
const recoverPage = 200;

/** Every session this process holds: creates, loads, puts to sleep and lets go of them. */
export class SessionHost {
  readonly #options: SessionHostOptions;
  readonly #runtimes: ReadonlyMap<string, Runtime>;
  readonly #settings: SessionSettings;
  readonly #slots: RunSlots;
  readonly #clock: Clock;
  readonly #holder = randomUUID();
  readonly #sessions = new Map<string, Promise<Session | undefined>>();
  /** Loaded sessions, the longest unused first. */
  readonly #loaded = new Map<string, Session>();
  readonly #leaving = new Map<string, Promise<void>>();
  #eventsAppended = 0;
  #commits = 0;
  #isClosing = false;
  #cancelRenewal: () => void = () => undefined;

  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#runtimes = new Map(options.runtimes.map((runtime) => [runtime.name, runtime]));
    this.#clock = options.clock ?? systemClock;
    this.#slots = new RunSlots(options.maxLiveRuns ?? 16, () => this.#evictIdle());
    this.#settings = {
      store: options.store,
      slots: this.#slots,
      clock: this.#clock,
      idleMs: options.idleMs ?? 300_000,
      interruptMs: options.interruptMs ?? 10_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 3_600_000,
      maxQueue: options.maxQueue ?? 100,
      ...(options.retainEvents !== undefined && { retainEvents: options.retainEvents }),
      fork: (source, command, principal) => this.#fork(source, command, principal),
      onIdle: (session) => this.#letGo(session, session.release()),
      onBroken: (session, error) => {
        this.#report(error);
        this.#letGo(session, session.abandon());
      },
      onAppended: (count) => {
        this.#eventsAppended += count;
        this.#commits += 1;
      },
      onError: (error) => this.#report(error),
    };
    this.#planRenewal();
  }

  get metrics(): HostMetrics {
    return {
      sessionsLoaded: this.#loaded.size,
      liveRuns: this.#slots.taken,
      eventsAppended: this.#eventsAppended,
      commits: this.#commits,
    };
  }

  async create(options: CreateSession, principal: Principal): Promise<Result<Session>> {
    return this.#create(options, principal, {});
  }

  /** A session of somebody else is answered like one that does not exist. */
  async open(sessionId: string, principal: Principal): Promise<Result<Session>> {
    if (this.#isClosing) return rejected("shutting_down", "the server is shutting down: try again");
    const session = await this.#load(sessionId);
    if (!session || !canReach(principal, session.owner)) return unknownSession(sessionId);
    this.#loaded.delete(sessionId);
    this.#loaded.set(sessionId, session);
    return accepted(session);
  }

  async list(query: SessionQuery): Promise<Result<{ sessions: SessionInfo[]; next?: string }>> {
    const { principal, ...filter } = query;
    try {
      const records = await this.#options.store.listSessions({
        ...filter,
        ...(!principal.isAdmin && { owner: principal.id }),
      });
      const last = records.length === query.limit ? records.at(-1) : undefined;
      return accepted({
        sessions: records.map(infoFromRecord),
        ...(last && { next: last.sessionId }),
      });
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "session_unknown") throw error;
      return rejected("invalid_cursor", `after names no session: ${query.after ?? ""}`);
    }
  }

  async delete(sessionId: string, principal: Principal): Promise<Result<void>> {
    const opened = await this.open(sessionId, principal);
    if (!opened.ok) return opened;
    const deleting = opened.value.delete(principal.id);
    this.#letGo(opened.value, deleting);
    await deleting;
    return accepted(undefined);
  }

  async runtimes(): Promise<RuntimeInfo[]> {
    return Promise.all(
      this.#options.runtimes.map(async (runtime) => {
        const check = await runtime.check();
        return {
          name: runtime.name,
          label: runtime.label,
          is_default: runtime.name === this.#options.defaultRuntime,
          is_available: check.isAvailable,
          ...(check.problem !== undefined && { problem: check.problem }),
          capabilities: runtime.capabilities,
        };
      }),
    );
  }

  /** Settles what a dead process left open in any session; opening a session does the same for it. */
  async recover(): Promise<void> {
    for (const filter of [
      { activity: "working" },
      { activity: "waiting" },
      { status: "live" },
    ] as const) {
      const records = await this.#recoverable(filter);
      for (const record of records) await this.#load(record.sessionId);
    }
  }

  /** Puts every session to sleep; turns in flight are settled honestly. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRenewal();
    await Promise.all(this.#sessions.values());
    for (const session of this.#loaded.values()) {
      const cause = {
        code: "turn_lost",
        message: "the server was stopped while the turn ran; it was not run again",
      } as const;
      this.#letGo(session, session.release(cause));
    }
    await Promise.all(this.#leaving.values());
    await Promise.all(this.#options.runtimes.map(async (runtime) => runtime.close?.()));
  }

  async #create(
    options: CreateSession,
    principal: Principal,
    extra: Pick<EventData<"session_ready">, "forked_from" | "provider_session_id">,
  ): Promise<Result<Session>> {
    if (this.#isClosing) return rejected("shutting_down", "the server is shutting down: try again");
    const name = options.runtime ?? this.#options.defaultRuntime;
    const runtime = this.#runtimes.get(name);
    if (!runtime) {
      const known = [...this.#runtimes.keys()];
      return rejected("runtime_unknown", `there is no runtime ${name}`, { runtimes: known });
    }
    const check = await runtime.check();
    if (!check.isAvailable) {
      return rejected(
        "runtime_unavailable",
        check.problem ?? `runtime ${name} cannot be used here`,
      );
    }
    if (options.permission_mode !== undefined) {
      const refusal = refuseMode(runtime.capabilities, options.permission_mode, principal.isAdmin);
      if (refusal) return refusal;
    }
    const { roots } = this.#options;
    const directory = await resolveWorkingDirectory(options.cwd ?? roots[0] ?? "", roots);
    if (!directory.ok) return directory;
    const record = this.#newRecord({ ...options, runtime: name }, directory.value, principal);
    const lease = await this.#createLease(record);
    if (!lease.ok) return lease;
    return accepted(await this.#begin(lease.value, runtime, extra));
  }

  #newRecord(
    options: CreateSession & { runtime: string },
    cwd: string,
    principal: Principal,
  ): SessionRecord {
    const now = new Date(this.#clock.now()).toISOString();
    return {
      sessionId: options.session_id ?? randomUUID(),
      owner: principal.id,
      epoch: randomUUID(),
      runtime: options.runtime,
      options,
      status: "live",
      activity: "idle",
      ...(options.title !== undefined && { title: options.title }),
      ...(options.model !== undefined && { model: options.model }),
      ...(options.permission_mode !== undefined && { permissionMode: options.permission_mode }),
      cwd,
      createdAt: now,
      updatedAt: now,
      head: 0,
      trimmed: 0,
    };
  }

  async #createLease(record: SessionRecord): Promise<Result<Lease>> {
    try {
      return accepted(await this.#options.store.createSession(record, this.#holder, leaseTtlMs));
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "session_exists") throw error;
      return rejected("session_exists", `there is a session ${record.sessionId} already`);
    }
  }

  async #begin(
    lease: Lease,
    runtime: Runtime,
    extra: Pick<EventData<"session_ready">, "forked_from" | "provider_session_id">,
  ): Promise<Session> {
    const { record } = lease;
    const loaded = await loadSession(lease, { ...this.#loadOptions(), runtime });
    const ready = draft("session_ready", {
      session_id: record.sessionId,
      protocol_version: PROTOCOL_VERSION,
      runtime: runtime.name,
      ...(record.model !== undefined && { model: record.model }),
      ...(record.permissionMode !== undefined && { permission_mode: record.permissionMode }),
      ...(record.title !== undefined && { title: record.title }),
      cwd: record.cwd,
      ...extra,
      capabilities: runtime.capabilities,
    });
    const session = new Session(loaded, this.#settings);
    this.#sessions.set(session.id, Promise.resolve(session));
    this.#loaded.set(session.id, session);
    await session.begin([ready]);
    return session;
  }

  async #fork(
    source: Session,
    command: CommandOf<"fork">,
    principal: Principal,
  ): Promise<Result<SessionInfo>> {
    const runtime = this.#runtimes.get(source.control.session.runtime);
    if (!runtime) return rejected("runtime_unavailable", "the session's runtime is not there");
    const planned = await planFork(source, runtime, command);
    if (!planned.ok) return planned;
    const plan = planned.value;
    const { title, model, permission_mode, cwd } = source.control.session;
    const options: CreateSession = {
      ...source.creation,
      session_id: undefined,
      title: command.title ?? title,
      model,
      permission_mode,
      cwd,
    };
    const created = await this.#create(options, principal, {
      forked_from: { session_id: source.id, seq: plan.upTo },
      ...(plan.providerSessionId !== undefined && { provider_session_id: plan.providerSessionId }),
    });
    if (!created.ok) return created;
    for await (const drafts of copiedEvents(source.log, plan)) await created.value.begin(drafts);
    return accepted(created.value.info());
  }

  #load(sessionId: string): Promise<Session | undefined> {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const loading = this.#loadFromStore(sessionId);
    this.#sessions.set(sessionId, loading);
    const forget = () => {
      if (this.#sessions.get(sessionId) === loading) this.#sessions.delete(sessionId);
    };
    detach(
      loading.then((session) => {
        if (!session) forget();
      }),
      forget,
    );
    return loading;
  }

  async #loadFromStore(sessionId: string): Promise<Session | undefined> {
    await this.#leaving.get(sessionId);
    const { store } = this.#options;
    const lease = await store.acquireLease({ sessionId, holder: this.#holder, ttlMs: leaseTtlMs });
    if (!lease) return undefined;
    const runtime =
      this.#runtimes.get(lease.record.runtime) ?? missingRuntime(lease.record.runtime);
    const loaded = await loadSession(lease, { ...this.#loadOptions(), runtime });
    const session = new Session(loaded, this.#settings);
    this.#loaded.set(sessionId, session);
    session.recover();
    return session;
  }

  #loadOptions() {
    return {
      store: this.#options.store,
      clock: this.#clock,
      ringSize: this.#options.ringSize ?? 1000,
    };
  }

  async #recoverable(
    filter: { activity: SessionActivity } | { status: SessionStatus },
  ): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (;;) {
      const last = records.at(-1);
      const page = await this.#options.store.listSessions({
        ...filter,
        limit: recoverPage,
        ...(last && { after: last.sessionId }),
      });
      records.push(...page);
      if (page.length < recoverPage) return records;
    }
  }

  /** A later open waits until the session is really gone from memory. */
  #letGo(session: Session, leaving: Promise<void>): void {
    this.#sessions.delete(session.id);
    this.#loaded.delete(session.id);
    const gone = leaving
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        if (this.#leaving.get(session.id) === gone) this.#leaving.delete(session.id);
      });
    this.#leaving.set(session.id, gone);
  }

  /** Makes room by hibernating the longest unused session that has an agent and nothing to do. */
  #evictIdle(): boolean {
    for (const session of this.#loaded.values()) {
      if (!session.isLive || !session.isQuiet) continue;
      detach(session.hibernate(), (error) => this.#report(error));
      return true;
    }
    return false;
  }

  #planRenewal(): void {
    this.#cancelRenewal = startTimer(this.#clock, leaseTtlMs / 3, () => {
      for (const session of this.#loaded.values()) {
        detach(this.#renew(session), (error) => this.#report(error));
      }
      this.#planRenewal();
    });
  }

  async #renew(session: Session): Promise<void> {
    const isHeld = await session.renewLease(leaseTtlMs);
    if (isHeld || this.#loaded.get(session.id) !== session) return;
    this.#letGo(session, session.abandon());
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

/** Opens a host and, behind the scenes, settles what an earlier process left. */
export function createSessionHost(options: SessionHostOptions): SessionHost {
  const host = new SessionHost(options);
  detach(host.recover(), (error) => options.onError?.(error));
  return host;
}

function unknownSession(sessionId: string): ReturnType<typeof rejected> {
  return rejected("session_not_found", `there is no session ${sessionId}`);
}

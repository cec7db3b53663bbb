import { randomUUID } from "node:crypto";
import type {
  Command,
  Control,
  CreateSession,
  EventDraft,
  SessionEvent,
  SessionInfo,
  SessionState,
} from "@turnwire/protocol";
import { activityOf, draft, requestOf } from "@turnwire/protocol";
import { detach } from "../1-runtime/detach.ts";
import { errorText } from "../1-runtime/error-text.ts";
import { refuseByStatus } from "./decide.ts";
import { expiredAnswer, resolve } from "./decide/resolve.ts";
import { EffectDispatch } from "./effect-dispatch.ts";
import type { EventLog } from "./event-log.ts";
import { faultPoint } from "./fault-point.ts";
import { IdleWatch } from "./idle-watch.ts";
import { InputLedger } from "./input-ledger.ts";
import { Intake } from "./intake.ts";
import type { Principal } from "./principal.ts";
import { compact, rollBack } from "./procedure.ts";
import { Recorder } from "./recorder.ts";
import { RequestExpiry } from "./request-expiry.ts";
import { Retention } from "./retention.ts";
import type { Result } from "./result.ts";
import { accepted, rejected } from "./result.ts";
import { Serial } from "./serial.ts";
import { SessionAgent } from "./session-agent.ts";
import { infoFromControl, isMilestone } from "./session-record.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";
import type { LostCause } from "./settle.ts";
import { SnapshotFolder } from "./snapshot.ts";

/** A command that is in the log, and where. */
export interface Accepted {
  readonly seq: number;
  readonly messageId?: string;
  /** The same message had been accepted before; nothing was done again. */
  readonly duplicate?: boolean;
  readonly forked?: SessionInfo;
}

/** One conversation, held by this process: commands in, events out, an agent behind it when needed. */
export class Session {
  readonly id: string;
  readonly owner: string;
  readonly log: EventLog;
  readonly #settings: SessionSettings;
  readonly #loaded: LoadedSession;
  readonly #recorder: Recorder;
  readonly #agent: SessionAgent;
  /** Turns and wakings wait for it: what was commanded before must reach the agent before. */
  readonly #dispatch: EffectDispatch;
  readonly #intake: Intake;
  readonly #expiry: RequestExpiry;
  readonly #snapshots: SnapshotFolder;
  readonly #retention: Retention;
  readonly #idle: IdleWatch;
  readonly #serial = new Serial();
  #updatedAt: string;
  #isStarted = false;
  #isReleased = false;

  constructor(loaded: LoadedSession, settings: SessionSettings) {
    const { lease, log, control, runtime } = loaded;
    const { store, clock } = settings;
    this.id = lease.record.sessionId;
    this.owner = lease.record.owner;
    this.log = log;
    this.#loaded = loaded;
    this.#settings = settings;
    this.#updatedAt = lease.record.updatedAt;
    this.#snapshots = new SnapshotFolder(log, store, clock);
    this.#idle = new IdleWatch({
      clock,
      idleMs: settings.idleMs,
      isQuiet: () => this.isQuiet,
      onIdle: () => settings.onIdle(this),
    });
    this.#retention = new Retention({
      log,
      store,
      lease,
      snapshots: this.#snapshots,
      retainEvents: settings.retainEvents,
      onError: settings.onError,
    });
    this.#expiry = new RequestExpiry(clock, (id) => this.#expire(id));
    this.#recorder = new Recorder({
      log,
      control,
      clock,
      runtime: runtime.name,
      requestTimeoutMs: settings.requestTimeoutMs,
      onCommitted: (events) => this.#onCommitted(events),
      onFailed: (error) => settings.onBroken(this, error),
    });
    this.#intake = new Intake({
      recorder: this.#recorder,
      inputs: new InputLedger(store, this.id),
      maxQueue: settings.maxQueue,
    });
    this.#agent = new SessionAgent({
      runtime,
      recorder: this.#recorder,
      slots: settings.slots,
      clock,
      interruptMs: settings.interruptMs,
      runOptions: loaded.runOptions,
      onError: settings.onError,
    });
    this.#dispatch = new EffectDispatch({
      perform: (effect) => this.#agent.perform(effect),
      onFailed: (error) => this.#report(error),
    });
  }

  get control(): Control {
    return this.#recorder.control;
  }

  /** How the session was created. */
  get creation(): CreateSession {
    return this.#loaded.lease.record.options;
  }

  /** Nothing runs and nothing waits: the agent could be given back. */
  get isQuiet(): boolean {
    return activityOf(this.control) === "idle";
  }

  get isLive(): boolean {
    return this.#agent.isLive;
  }

  info(): SessionInfo {
    const { record } = this.#loaded.lease;
    return infoFromControl(
      { ...record, updatedAt: this.#updatedAt, head: this.log.head },
      this.control,
      this.#loaded.runtime,
    );
  }

  /** Writes what a new log begins with; nothing runs before `start`. */
  async seed(drafts: readonly EventDraft[]): Promise<void> {
    await this.#recorder.record(drafts).committed;
  }

  /** Goes on with what waits. */
  start(): void {
    this.#isStarted = true;
    this.#startNext();
    this.#idle.touch();
  }

  /** Settles what an earlier process left open, then goes on with what waits. */
  recover(): void {
    this.#agent.settle({
      code: "turn_lost",
      message: "The server stopped while the turn ran; it was not run again.",
    });
    const { session, last_turn_id: lastTurnId } = this.control;
    if (session.status === "live" && lastTurnId !== null) {
      this.#recorder.record([draft("session_updated", { status: "hibernated" })]);
    }
    this.start();
  }

  /** Decides a command and resolves when its events are in the store. */
  async execute(command: Command, principal: Principal): Promise<Result<Accepted>> {
    if (this.#isReleased)
      return rejected("overloaded", "The session is being put to sleep: try again.");
    this.#idle.touch();
    if (command.type === "fork" || command.type === "rollback" || command.type === "compact") {
      return this.#proceed(command, principal);
    }
    const pending = await this.#serial.run(() => this.#intake.take(command, principal));
    if (!pending.ok) return pending;
    const { committed, effects, ...value } = pending.value;
    try {
      await committed;
    } catch (error) {
      this.#settings.onError(error);
      return rejected("store_unavailable", "The command could not be stored: try again.");
    }
    this.#dispatch.afterAnswer(effects);
    return accepted(value);
  }

  async snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }> {
    const state = await this.#snapshots.current();
    return { seq: state.seq, epoch: this.log.epoch, state };
  }

  /** Starts the agent now instead of at the next message. */
  async wake(): Promise<Result<SessionInfo>> {
    if (this.control.session.status === "archived") {
      return rejected("session_archived", "The session is archived: unarchive it first.");
    }
    await this.#dispatch.told;
    try {
      await this.#agent.ensure();
    } catch (error) {
      return rejected("runtime_unavailable", errorText(error));
    }
    await this.log.settled;
    return accepted(this.info());
  }

  /** A subscriber keeps the session loaded until it calls what this returns. */
  attach(): () => void {
    return this.#idle.attach();
  }

  /** Gives the agent back; the session stays and wakes by the next message. */
  async hibernate(): Promise<void> {
    if (!this.#agent.isLive) return;
    this.#recorder.record([draft("session_updated", { status: "hibernated" })]);
    await this.#agent.close();
  }

  /** Lets go of everything so that another process, or a later load, can take over. */
  async release(cause?: LostCause): Promise<void> {
    this.#isReleased = true;
    this.#stopTimers();
    if (cause) this.#agent.settle(cause);
    await this.hibernate();
    await this.log.settled;
    this.log.end("released");
    await this.#settings.store.releaseLease(this.id, this.#loaded.lease.generation);
  }

  /** Ends the session for good: its log is closed, then removed. */
  async delete(by: string): Promise<void> {
    this.#isReleased = true;
    this.#stopTimers();
    await this.#agent.close({
      code: "turn_lost",
      message: "The session was deleted.",
      isStopped: true,
    });
    await this.#recorder.record([draft("session_closed", { reason: "deleted", by })]).committed;
    this.log.end("closed");
    await this.#settings.store.deleteSession(this.id, this.#loaded.lease.generation);
  }

  /** False when another process has taken the session over. */
  renewLease(ttlMs: number): Promise<boolean> {
    return this.#settings.store.renewLease(this.id, this.#loaded.lease.generation, ttlMs);
  }

  /** The store refused us: what this memory says is no longer true. */
  async abandon(): Promise<void> {
    this.#isReleased = true;
    this.#stopTimers();
    this.log.end("released");
    await this.#agent.close();
  }

  /** Commands that take the agent along, or the whole log; `decide` answers all others. */
  async #proceed(
    command: Extract<Command, { type: "fork" | "rollback" | "compact" }>,
    principal: Principal,
  ): Promise<Result<Accepted>> {
    const context = { recorder: this.#recorder, agent: this.#agent, by: principal.id };
    switch (command.type) {
      case "rollback":
        return this.#serial.run(() => rollBack(command, context));
      case "compact":
        return compact(command, context);
      case "fork": {
        const refusal = refuseByStatus(this.control, command);
        if (refusal) return refusal;
        const forked = await this.#settings.fork(this, command, principal);
        return forked.ok ? accepted({ seq: this.log.head, forked: forked.value }) : forked;
      }
    }
  }

  /** Starts the next turn once what asked for it is durable and acknowledged. */
  #startNext(): void {
    const { turn, queue, session } = this.control;
    const next = queue[0];
    const isRunnable = this.#isStarted && !this.#isReleased && session.status !== "archived";
    if (turn || !next || !isRunnable) return;
    const turnId = randomUUID();
    const place = { turn_id: turnId };
    const started = draft("turn_started", { turn_id: turnId, message_id: next.message_id }, place);
    const { committed } = this.#recorder.record([started]);
    const starting = Promise.all([committed, this.#dispatch.told]).then(() =>
      this.#agent.startTurn({
        turnId,
        messageId: next.message_id,
        content: next.content,
        ...(next.context !== undefined && { context: next.context }),
      }),
    );
    detach(starting, this.#settings.onError);
  }

  #onCommitted(events: readonly SessionEvent[]): void {
    let isNextDue = false;
    for (const event of events) {
      this.#expiry.observe(event);
      isNextDue ||= event.type === "user_message" || event.type === "done";
    }
    this.#updatedAt = events.at(-1)?.ts ?? this.#updatedAt;
    this.#settings.onAppended(events.length);
    if (events.some(isMilestone)) this.#settings.onChanged(this);
    this.#retention.check();
    if (!isNextDue) return;
    setImmediate(() => {
      faultPoint("after_ack");
      this.#startNext();
      this.#idle.touch();
      if (this.isQuiet) this.#settings.slots.offerIdle();
    });
  }

  #expire(id: string): void {
    const request = requestOf(this.control, id);
    if (!request) return;
    this.#recorder.record([resolve(request, "expired")]);
    this.#dispatch.now({ type: "answer", answer: expiredAnswer(request) });
  }

  /** An effect failed that nobody waits for: the conversation says so. */
  #report(error: unknown): void {
    this.#settings.onError(error);
    if (this.#isReleased) return;
    const message = errorText(error);
    this.#recorder.record([draft("error", { code: "agent_failed", message, retryable: true })]);
  }

  #stopTimers(): void {
    this.#idle.stop();
    this.#expiry.stopAll();
    this.#snapshots.drop();
  }
}

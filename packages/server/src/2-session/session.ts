import { detach } from "@turnwire/base";
import {
  accepted,
  type Command,
  type CommandOf,
  type Control,
  type CreateSession,
  draft,
  type EventDraft,
  rejected,
  requestOf,
  type Result,
  type SessionEvent,
  type SessionInfo,
  type SessionState,
  type SystemPrompt,
} from "@turnwire/protocol";
import type { ReadableLog } from "@turnwire/log";
import { type DecidedCommand, refuseByStatus, type SettingCommand } from "./decide.ts";
import { isAtRest } from "./decide/budget-due.ts";
import { expire } from "./decide/expire.ts";
import { type Effect, isSteer, mayStartTurn } from "./effect.ts";
import { faultPoint } from "@turnwire/log/fault-point";
import type { Accepted, OpenSession } from "./open-session.ts";
import type { Pending } from "./intake.ts";
import type { Principal } from "./principal.ts";
import { Serial } from "./serial.ts";
import { recoverAgent } from "./recovery.ts";
import { agentFailure } from "./settle.ts";
import { finishSession, type SessionEnd } from "./session-end.ts";
import { activityTime, infoFromControl, isMilestone, isRest } from "./session-record.ts";
import { archived, notLive, notQuiet, notWoken } from "./session-refusal.ts";
import { storeInstructions } from "./instructions.ts";
import { createParts, type SessionParts } from "./session-parts.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";

/**
 * One conversation, held by this process: commands in, events out, an agent behind it when needed.
 * It is loading, live, ending or ended; only a live one takes commands and starts turns, and nothing
 * acts for one that has ended.
 */
export class Session implements OpenSession {
  readonly id: string;
  readonly owner: string;
  readonly log: ReadableLog;
  readonly #settings: SessionSettings;
  readonly #loaded: LoadedSession;
  readonly #parts: SessionParts;
  readonly #serial = new Serial();
  #updatedAt: string;
  /** Messages that were accepted to steer and have not reached the agent, nor the queue instead. */
  #steering = 0;
  #phase: "loading" | "live" | "ending" | "ended" = "loading";
  #ended: Promise<void> | undefined;

  constructor(loaded: LoadedSession, settings: SessionSettings) {
    const { lease, log } = loaded;
    this.id = lease.record.sessionId;
    this.owner = lease.record.owner;
    this.log = log;
    this.#loaded = loaded;
    this.#settings = settings;
    this.#updatedAt = lease.record.updatedAt;
    this.#parts = createParts(loaded, settings, {
      isQuiet: () => this.isQuiet,
      isLive: () => this.#phase === "live",
      perform: (effect) => this.#perform(effect),
      onEffectFailed: (error) => this.#report(error),
      onCommitted: (events, ms) => this.#onCommitted(events, ms),
      onExpired: (requestId) => this.#expire(requestId),
      onIdle: () => this.#endDetached({ type: "release" }),
      onProcedureEnded: () => this.#onRest(),
      onBroken: (error) => {
        settings.onError(error);
        this.#endDetached({ type: "abandon" });
      },
    });
  }

  get control(): Control {
    return this.#parts.recorder.control;
  }

  /** How the session was created, with the instructions that it has now. */
  get creation(): CreateSession {
    return this.#loaded.creation();
  }

  /** Nothing runs and nothing waits: the agent could be given back. */
  get isQuiet(): boolean {
    const { procedures, retention, agent } = this.#parts;
    const isAtWork = procedures.isRunning || retention.isHeld || agent.isBusy;
    return isAtRest(this.control) && !isAtWork;
  }

  /** There is an agent. */
  get isLive(): boolean {
    return this.#parts.agent.isUp;
  }

  /** Settles when nothing acts for the session here any more; undefined before its end begins. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
  }

  info(): SessionInfo {
    const { record } = this.#loaded.lease;
    return infoFromControl(
      { ...record, updatedAt: this.#updatedAt, head: this.log.head },
      this.control,
      this.#loaded.runtime,
    );
  }

  /** Writes events that come neither from a command nor from the agent. */
  async record(drafts: readonly EventDraft[]): Promise<void> {
    await this.#parts.recorder.record(drafts).committed;
  }

  /** Begins to act, with what waits. */
  start(): void {
    if (this.#phase !== "loading") return;
    this.#phase = "live";
    this.#settings.onChanged(this);
    this.#onRest();
  }

  /** Settles what an earlier process left open, or waits for the agent that may come back to it; then starts. */
  recover(): void {
    recoverAgent(this.#parts);
    this.start();
  }

  /** Decides a command and resolves when its events are in the store. */
  async execute(command: Command, principal: Principal): Promise<Result<Accepted>> {
    if (this.#phase !== "live") return notLive();
    this.#parts.idle.touch();
    this.#settings.onUsed(this);
    if (command.type === "rollback" || command.type === "compact") {
      await this.#catchUp();
      if (this.#phase !== "live") return notLive();
      return this.#parts.procedures.run(command, principal.id);
    }
    if (command.type === "fork") return this.#fork(command, principal);
    return this.#finish(await this.#serial.run(() => this.#take(command, principal)));
  }

  /** Changes several settings at once: all of them or, if one is refused, none. */
  async update(
    commands: readonly SettingCommand[],
    principal: Principal,
  ): Promise<Result<Accepted>> {
    if (this.#phase !== "live") return notLive();
    this.#parts.idle.touch();
    this.#settings.onUsed(this);
    const pending = await this.#serial.run(() =>
      this.#phase === "live" ? this.#parts.intake.takeAll(commands, principal) : notLive(),
    );
    return this.#finish(pending);
  }

  /** Waits until the store has what was decided, then lets its effects happen. */
  async #finish(pending: Result<Pending>): Promise<Result<Accepted>> {
    if (!pending.ok) return pending;
    const { committed, effects, ...value } = pending.value;
    try {
      await committed;
    } catch {
      // What the store said is reported where the session breaks by it.
      if (this.#phase !== "live") return notLive();
      return rejected("store_unavailable", "The command could not be stored: try again.");
    }
    this.#parts.dispatch.afterAnswer(effects);
    return accepted(value);
  }

  async snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }> {
    const state = await this.#parts.snapshots.current();
    return { seq: state.seq, epoch: this.log.epoch, state };
  }

  /** Starts the agent now instead of at the next message. */
  async wake(): Promise<Result<SessionInfo>> {
    if (this.#phase !== "live") return notLive();
    if (this.control.session.status === "archived") return archived();
    await this.#catchUp();
    await this.#parts.dispatch.delivered;
    try {
      await this.#parts.agent.wake();
    } catch (error) {
      return notWoken(error);
    }
    await this.log.settled;
    return accepted(this.info());
  }

  /** Gives the agent other instructions: it is started anew with them when it is needed next. */
  async instruct(prompt: SystemPrompt, principal: Principal): Promise<Result<void>> {
    if (this.#phase !== "live" || !this.isQuiet) return notQuiet();
    const { store } = this.#settings;
    const stored = await storeInstructions(this.#loaded, prompt, { store, principal });
    if (stored.ok) await this.hibernate();
    return stored;
  }

  /** A subscriber keeps the session loaded until it calls what this returns. */
  attach(): () => void {
    return this.#parts.idle.attach();
  }

  /** Gives the agent back; the session stays and wakes by the next message. */
  async hibernate(): Promise<void> {
    // The agent may have begun something by itself in the same tick.
    this.#parts.recorder.flush();
    const { agent } = this.#parts;
    if (!agent.isAttached || agent.isGuest || !this.isQuiet) return;
    this.#parts.recorder.record([draft("session_updated", { status: "hibernated" })]);
    await agent.close();
  }

  /** Whether its directory is trusted has changed: applies to the next start of the agent. */
  async reconfigure(): Promise<void> {
    const { status } = this.control.session;
    if (this.#phase !== "live" || !this.isQuiet || status === "archived") return;
    await this.#parts.agent.reconfigure();
  }

  /**
   * Ends the session here; resolves when it has ended, also if that fails. The first call decides how:
   * false for every other.
   */
  async end(how: SessionEnd): Promise<boolean> {
    if (this.#ended) {
      await this.#ended.catch(() => undefined);
      return false;
    }
    this.#phase = "ending";
    this.#parts.idle.stop();
    this.#parts.expiry.stop();
    this.#parts.budget.stop();
    this.#parts.snapshots.stop();
    const { store } = this.#settings;
    const { lease, log } = this.#loaded;
    const ended = finishSession(how, { ...this.#parts, store, lease, log }).finally(() => {
      this.#phase = "ended";
    });
    this.#ended = ended;
    this.#settings.onEnding(this, ended);
    await ended;
    return true;
  }

  /** False when another process has taken the session over. */
  renewLease(ttlMs: number): Promise<boolean> {
    return this.#settings.store.renewLease(this.id, this.#loaded.lease.generation, ttlMs);
  }

  /** Copies the session; until that is done it neither sleeps nor loses events. */
  async #fork(command: CommandOf<"fork">, principal: Principal): Promise<Result<Accepted>> {
    const refusal = refuseByStatus(this.control, command);
    if (refusal) return refusal;
    await this.#catchUp();
    if (this.#phase !== "live") return notLive();
    try {
      const forked = await this.#parts.retention.hold(() =>
        this.#settings.fork(this, command, principal),
      );
      return forked.ok ? accepted({ seq: this.log.head, forked: forked.value }) : forked;
    } finally {
      this.#onRest();
    }
  }

  async #take(command: DecidedCommand, principal: Principal): Promise<Result<Pending>> {
    if (mayStartTurn(command)) await this.#parts.missed.catchUp();
    if (this.#phase !== "live") return notLive();
    if (command.type === "archive" && this.#steering > 0) {
      return rejected("turn_running", "A message is still on its way to the agent: try again.");
    }
    const pending = await this.#parts.intake.take(command, principal);
    if (pending.ok) this.#steering += pending.value.effects.filter(isSteer).length;
    return pending;
  }

  /** Brings the log up to date with what was said in the agent's own program meanwhile. */
  async #catchUp(): Promise<void> {
    const { missed } = this.#parts;
    if (missed.isDue) await this.#serial.run(() => missed.catchUp());
  }

  #endDetached(how: SessionEnd): void {
    if (this.#phase === "ending" || this.#phase === "ended") return;
    // The host reports what goes wrong on the way.
    detach(this.end(how), () => undefined);
  }

  #onCommitted(events: readonly SessionEvent[], ms: number): void {
    for (const event of events) this.#parts.expiry.observe(event);
    this.#updatedAt = activityTime(events) ?? this.#updatedAt;
    this.#settings.onAppended({ sessionId: this.id, events, ms });
    this.#parts.retention.check();
    if (events.some(isMilestone)) this.#settings.onChanged(this);
    if (!events.some(isRest)) return;
    setImmediate(() => {
      faultPoint("after_ack");
      this.#onRest();
    });
  }

  /** Something came to an end, or something waits: starts what is due, or lets others have the slot. */
  #onRest(): void {
    if (this.#phase !== "live") return;
    this.#settings.onUsed(this);
    this.#parts.turns.startNext();
    this.#parts.idle.touch();
    if (this.isQuiet) this.#settings.slots.offerIdle();
  }

  async #perform(effect: Effect): Promise<void> {
    if (effect.type !== "steer") return this.#parts.agent.perform(effect);
    const isHeard = await this.#parts.agent.steer(effect.input);
    this.#steering -= 1;
    if (isHeard || this.#phase === "ended") return;
    // What was accepted runs: a message that came too late to steer gets a turn of its own.
    this.#parts.recorder.record([draft("message_deferred", effect.message)]);
  }

  #expire(id: string): void {
    // The agent may have ended it in the same tick.
    this.#parts.recorder.flush();
    const request = requestOf(this.control, id);
    if (!request || request.type === "budget_request" || this.#phase !== "live") return;
    const { event, answer } = expire(this.control, request, this.#loaded.runtime);
    this.#parts.recorder.record([event]);
    this.#parts.dispatch.now({ type: "answer", answer });
  }

  /** An effect failed that no caller waits for: the conversation says so. */
  #report(error: unknown): void {
    this.#settings.onError(error);
    if (this.#phase !== "live") return;
    this.#parts.recorder.record([agentFailure(error)]);
  }
}

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
  type Result,
  type SessionEvent,
  type SessionInfo,
  type SessionState,
  type SystemPrompt,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import type { ReadableLog } from "@turnwire/log";
import { whenCommitted } from "./committed-command.ts";
import { type DecidedCommand, refuseByStatus } from "./decide/decide.ts";
import { type Effect, isSteer, mayStartTurn } from "./decide/effect.ts";
import { faultPoint } from "@turnwire/log/fault-point";
import type { CommandSource } from "./port/inbox-command.ts";
import type { Accepted, OpenSession } from "@turnwire/wire";
import type { Pending } from "./intake.ts";
import { Serial } from "@turnwire/log/list";
import { expireRequest } from "./watch/request-expiry.ts";
import { recoverAgent } from "./agent/recovery.ts";
import { agentFailure } from "./decide/settle.ts";
import { finishSession, type SessionEnd } from "./session-end.ts";
import { activityTime, infoFromControl, isMilestone, isRest } from "./record/session-record.ts";
import { refusalFrom } from "./agent/runtime-failure.ts";
import { archived, notLive, notQuiet } from "./decide/session-refusal.ts";
import { storeInstructions } from "./instructions.ts";
import { createParts, type SessionParts, stopWatching } from "./session-parts.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";
import { type AskedWork, giveAgentBack, isAtWork, isQuiet, refuseWork } from "./session-work.ts";

/**
 * One conversation, held by this process: commands in, events out, an agent behind it when needed.
 * It is loading, live, ending or ended; only a live one takes commands and starts turns, and nothing
 * acts for one that has ended.
 */
export class Session implements OpenSession {
  readonly id: string;
  readonly owner: string;
  readonly workspace: LoadedSession["lease"]["record"];
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
    this.workspace = lease.record;
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
      target: this,
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

  /** It takes commands. */
  get isActive(): boolean {
    return this.#phase === "live";
  }

  /** Nothing runs and nothing waits: the agent could be given back. */
  get isQuiet(): boolean {
    return isQuiet(this.#parts);
  }

  /** Something runs that would be lost if the session ended now. */
  get isAtWork(): boolean {
    return isAtWork(this.#parts);
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
    this.readInbox();
  }

  /** Other hosts may have sent commands. */
  readInbox(): void {
    this.#parts.inbox.poll();
  }

  /** Settles what an earlier process left open, or waits for the agent that may come back to it; then starts. */
  recover(): void {
    recoverAgent({ ...this.#settings, ...this.#parts });
    this.start();
  }

  /** Decides a command and resolves when its events are in the store. */
  async execute(
    command: Command,
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Accepted>> {
    const refusal = this.#begin(command);
    if (refusal) return refusal;
    if (command.type === "rollback" || command.type === "compact") {
      await this.#catchUp();
      if (this.#phase !== "live") return notLive();
      return this.#parts.procedures.run(command, principal.id);
    }
    if (command.type === "fork") return this.#fork(command, principal);
    return this.#finish(await this.#serial.run(() => this.#take(command, principal, source)));
  }

  /** Changes several settings at once: all of them or, if one is refused, none. */
  async update(
    commands: readonly SettingCommand[],
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Accepted>> {
    const refusal = this.#begin();
    if (refusal) return refusal;
    const pending = await this.#serial.run(() =>
      this.#phase === "live" ? this.#parts.intake.takeAll(commands, principal, source) : notLive(),
    );
    return this.#finish(pending);
  }

  /** Why what is asked for is refused here; the session is in use now. */
  #begin(asked?: AskedWork): ReturnType<typeof rejected> | undefined {
    if (this.#phase !== "live") return notLive();
    this.#parts.idle.touch();
    this.#settings.onUsed(this);
    return asked && refuseWork(asked, this.#settings, this.workspace);
  }

  #finish(pending: Result<Pending>): Promise<Result<Accepted>> {
    const { dispatch } = this.#parts;
    return whenCommitted(pending, { dispatch, isActive: () => this.isActive });
  }

  async snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }> {
    const state = await this.#parts.snapshots.current();
    return { seq: state.seq, epoch: this.log.epoch, state };
  }

  /** Starts the agent now instead of at the next message. */
  async wake(): Promise<Result<SessionInfo>> {
    const refusal = this.#begin({ type: "wake" });
    if (refusal) return refusal;
    if (this.control.session.status === "archived") return archived();
    await this.#catchUp();
    await this.#parts.dispatch.delivered;
    try {
      await this.#parts.agent.wake();
    } catch (error) {
      return refusalFrom(error);
    }
    await this.log.settled;
    return accepted(this.info());
  }

  /** Gives the agent other instructions: it is restarted with them when it is needed next. */
  async instruct(prompt: SystemPrompt, principal: Principal): Promise<Result<void>> {
    if (this.#phase !== "live" || !this.isQuiet) return notQuiet();
    const stored = await storeInstructions(this.#loaded, prompt, { ...this.#settings, principal });
    if (stored.ok) await this.hibernate();
    return stored;
  }

  /** A subscriber keeps the session loaded until it calls what this returns. */
  attach(): () => void {
    return this.#parts.idle.attach();
  }

  /** Gives the agent back; the session stays and wakes by the next message. */
  async hibernate(): Promise<void> {
    await giveAgentBack(this.#parts);
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
    stopWatching(this.#parts);
    const parts = { ...this.#settings, ...this.#loaded, ...this.#parts };
    const ended = finishSession(how, parts).finally(() => {
      this.#phase = "ended";
    });
    this.#ended = ended;
    this.#settings.onEnding(this, ended);
    await ended;
    return true;
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

  async #take(
    command: DecidedCommand,
    principal: Principal,
    source: CommandSource | undefined,
  ): Promise<Result<Pending>> {
    if (mayStartTurn(command)) await this.#parts.externalTurns.catchUp();
    if (this.#phase !== "live") return notLive();
    if (command.type === "archive" && this.#steering > 0) {
      return rejected("turn_running", "A message is still on its way to the agent: try again.");
    }
    const pending = await this.#parts.intake.take(command, principal, source);
    if (pending.ok) this.#steering += pending.value.effects.filter(isSteer).length;
    return pending;
  }

  /** Brings the log up to date with what was said in the agent's own program meanwhile. */
  async #catchUp(): Promise<void> {
    const { externalTurns } = this.#parts;
    if (externalTurns.isDue) await this.#serial.run(() => externalTurns.catchUp());
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
    const { runtime } = this.#loaded;
    expireRequest(id, { ...this.#parts, runtime, isActive: () => this.isActive });
  }

  /** An effect failed that no caller waits for: the conversation says so. */
  #report(error: unknown): void {
    this.#settings.onError(error);
    if (this.#phase !== "live") return;
    this.#parts.recorder.record([agentFailure(error)]);
  }
}

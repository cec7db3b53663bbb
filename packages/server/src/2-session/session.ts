import { detach } from "@turnwire/base";
import {
  accepted,
  type Command,
  type CommandOf,
  type Control,
  type CreateSession,
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
import { type DecidedCommand, refuseByStatus } from "./decide/decide.ts";
import { mayStartTurn } from "./decide/effect.ts";
import { faultPoint } from "@turnwire/log/fault-point";
import type { CommandSource } from "./port/inbox-command.ts";
import type { Accepted, OpenSession } from "@turnwire/wire";
import type { Pending } from "./intake.ts";
import { Serial } from "@turnwire/log/list";
import { recoverAgent } from "./agent/recovery.ts";
import { finishSession, type SessionEnd } from "./session-end.ts";
import { activityTime, infoFromControl, isMilestone, isRest } from "./record/session-record.ts";
import { refusalFrom } from "./agent/runtime-failure.ts";
import { archived, notLive, notQuiet } from "./decide/session-refusal.ts";
import { refuseOptions } from "./decide/session-option.ts";
import { createParts, type SessionParts, stopWatching } from "./session-parts.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";
import { type AskedWork, refuseWork } from "./workspace.ts";
import { SessionLife } from "./session-life.ts";

/** One conversation, held by this process: commands in, events out, an agent behind it when needed. */
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
  readonly #life = new SessionLife();

  constructor(loaded: LoadedSession, settings: SessionSettings) {
    const { lease, log } = loaded;
    this.id = lease.record.sessionId;
    this.owner = lease.record.owner;
    this.workspace = lease.record;
    this.log = log;
    this.#loaded = loaded;
    this.#settings = settings;
    this.#updatedAt = lease.record.updatedAt;
    this.#parts = createParts(
      { loaded, settings, life: this.#life },
      {
        onCommitted: (events, ms) => this.#onCommitted(events, ms),
        onIdle: () => this.#endDetached({ type: "release" }),
        onProcedureEnded: () => this.#onRest(),
        target: this,
        onBroken: (error) => {
          settings.onError(error);
          this.#endDetached({ type: "abandon" });
        },
      },
    );
  }

  get control(): Control {
    return this.#parts.recorder.control;
  }

  /** How the session was created, with the instructions that it has now. */
  get creation(): CreateSession {
    return this.#loaded.creation();
  }

  get acceptsCommands(): boolean {
    return this.#life.acceptsCommands;
  }

  /** Nothing runs and nothing waits: the agent could be given back. */
  get canHibernate(): boolean {
    return this.#parts.work.canHibernate;
  }

  /** Something runs that would be lost if the session ended now. */
  get wouldLoseWork(): boolean {
    return this.#parts.work.wouldLoseWork;
  }

  /** There is an agent that could be given back. */
  get hasAgent(): boolean {
    return this.#parts.agent.hasAgent;
  }

  /** Settles when nothing acts for the session here any more; undefined before its end begins. */
  get ended(): Promise<void> | undefined {
    return this.#life.ended;
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
    if (!this.#life.begin()) return;
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
    const { agent, recorder } = this.#parts;
    recoverAgent(agent, recorder, this.#settings.store);
    this.start();
  }

  /** Decides a command and resolves when its events are in the store. */
  async execute(
    command: Command,
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Accepted>> {
    const report = this.#settings.onCommand(this, command, principal);
    const result = await this.#execute(command, principal, source);
    report(result);
    return result;
  }

  async #execute(
    command: Command,
    principal: Principal,
    source: CommandSource | undefined,
  ): Promise<Result<Accepted>> {
    const refusal = this.#begin(command);
    if (refusal) return refusal;
    if (command.type === "rollback" || command.type === "compact") {
      await this.#catchUp();
      if (!this.acceptsCommands) return notLive();
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
    const reports = commands.map((command) => this.#settings.onCommand(this, command, principal));
    const pending = await this.#serial.run(() =>
      this.acceptsCommands ? this.#parts.intake.takeAll(commands, principal, source) : notLive(),
    );
    const result = await this.#finish(pending);
    for (const report of reports) report(result);
    return result;
  }

  /** Why what is asked for is refused here; the session is in use now. */
  #begin(asked?: AskedWork): ReturnType<typeof rejected> | undefined {
    if (!this.acceptsCommands) return notLive();
    this.#parts.idle.touch();
    this.#settings.onUsed(this);
    return asked && refuseWork(asked, this.#settings, this.workspace);
  }

  /** Waits until the store has what was decided, then lets its effects happen. */
  async #finish(pending: Result<Pending>): Promise<Result<Accepted>> {
    if (!pending.ok) return pending;
    const { committed, effects, ...value } = pending.value;
    try {
      await committed;
    } catch {
      // What the store said is reported where the session breaks by it.
      if (!this.acceptsCommands) return notLive();
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
    if (!this.acceptsCommands || !this.canHibernate) return notQuiet();
    const { lease, runtime, setSystemPrompt } = this.#loaded;
    const refusal = refuseOptions(
      { system_prompt: prompt },
      runtime.capabilities,
      principal.isAdmin,
    );
    if (refusal) return refusal;
    const { generation } = lease;
    const patch = { systemPrompt: prompt };
    await this.#settings.store.append({ sessionId: this.id, generation, events: [], patch });
    setSystemPrompt(prompt);
    await this.hibernate();
    return accepted(undefined);
  }

  /** A subscriber keeps the session loaded until it calls what this returns. */
  attach(): () => void {
    return this.#parts.idle.attach();
  }

  /** Gives the agent back; the session stays and wakes by the next message. */
  async hibernate(): Promise<void> {
    await this.#parts.work.hibernate();
  }

  /** Whether its directory is trusted has changed: applies to the next start of the agent. */
  async reconfigure(): Promise<void> {
    const { status } = this.control.session;
    if (!this.acceptsCommands || !this.canHibernate || status === "archived") return;
    await this.#parts.agent.reconfigure();
  }

  /**
   * Ends the session here; resolves when it has ended, also if that fails. The first call decides how:
   * false for every other.
   */
  async end(how: SessionEnd): Promise<boolean> {
    const ended = this.#life.end(() => {
      stopWatching(this.#parts);
      return finishSession(how, {
        loaded: this.#loaded,
        settings: this.#settings,
        parts: this.#parts,
      });
    });
    if (!ended) {
      await this.#life.ended?.catch(() => undefined);
      return false;
    }
    this.#settings.onEnding(this, ended);
    await ended;
    return true;
  }

  /** Copies the session; until that is done it neither sleeps nor loses events. */
  async #fork(command: CommandOf<"fork">, principal: Principal): Promise<Result<Accepted>> {
    const refusal = refuseByStatus(this.control, command);
    if (refusal) return refusal;
    await this.#catchUp();
    if (!this.acceptsCommands) return notLive();
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
    if (!this.acceptsCommands) return notLive();
    if (command.type === "archive" && this.#parts.steering.isUnderWay) {
      return rejected("turn_running", "A message is still on its way to the agent: try again.");
    }
    const pending = await this.#parts.intake.take(command, principal, source);
    if (pending.ok) this.#parts.steering.accept(pending.value.effects);
    return pending;
  }

  /** Brings the log up to date with what was said in the agent's own program meanwhile. */
  async #catchUp(): Promise<void> {
    const { externalTurns } = this.#parts;
    if (externalTurns.isDue) await this.#serial.run(() => externalTurns.catchUp());
  }

  #endDetached(how: SessionEnd): void {
    // The host reports what goes wrong on the way.
    detach(this.end(how), () => undefined);
  }

  #onCommitted(events: readonly SessionEvent[], ms: number): void {
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
    if (!this.acceptsCommands) return;
    this.#settings.onUsed(this);
    this.#parts.turns.startNext();
    this.#parts.idle.touch();
    if (this.canHibernate) this.#settings.slots.offerIdle();
  }
}

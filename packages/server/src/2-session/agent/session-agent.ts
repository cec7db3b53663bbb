import { type Control, draft, type EventDraft, type HasAttachments } from "@turnwire/protocol";
import { type Clock, detach, startTimer } from "@turnwire/base";
import {
  type NativeEnd,
  type RollbackOptions,
  type RunOptions,
  type Runtime,
  type TurnInput,
  RuntimeError,
  type TranscriptPort,
  type UiPort,
} from "@turnwire/runtime";
import { type Attached, endRun, maxTurnsOf, recordWaiting, sessionEnding } from "./attached-run.ts";
import { AgentReturn } from "./agent-return.ts";
import { BackgroundWork } from "./background-work.ts";
import type { Effect } from "../decide/effect.ts";
import { LiveRun } from "./live-run.ts";
import type { SessionGate } from "../policy/session-gate.ts";
import { restoreInput } from "../record/restore.ts";
import type { Recorder } from "../record/recorder.ts";
import { prepareRun } from "./run-preparation.ts";
import { lostCauseFrom } from "./runtime-failure.ts";
import { type LostCause, settle } from "../decide/settle.ts";
import { configurationChange, type ConfigurationSource } from "./session-configuration.ts";
import type { RunSlots } from "./slot-request.ts";
import type { RunningTasks } from "../ui/running-tasks.ts";
import type { WaitingCallbacks } from "../ui/waiting-callbacks.ts";

export interface SessionAgentOptions {
  readonly runtime: Runtime;
  readonly recorder: Recorder;
  readonly slots: RunSlots;
  readonly clock: Clock;
  /** Where the agent lives elsewhere and dials in: how long it may be disconnected before it counts as lost. */
  readonly returnMs: number | undefined;
  /** How long an interrupted turn may take to end before its agent is closed. */
  readonly interruptMs: number;
  /** Read at every start: model, mode and the working directory may have changed while no agent lived. */
  readonly runOptions: (control: Control) => Promise<RunOptions>;
  /** Read at every start, and before every turn of an agent that lives. */
  readonly configuration: ConfigurationSource;
  readonly gate: SessionGate;
  readonly ui: UiPort;
  readonly transcripts: TranscriptPort | undefined;
  /** Undefined where another host may have the agent's own record. */
  readonly conversation: RunOptions["conversation"];
  readonly waitingCallbacks: Pick<WaitingCallbacks, "all">;
  readonly tasks: Pick<RunningTasks, "stopped">;
  readonly onError: (error: unknown) => void;
}

/**
 * The agent side of a session, and the only place that starts and stops its runs. Promises: at most
 * one run at a time; after `shut` none starts any more; what a dead run leaves is settled.
 */
export class SessionAgent {
  readonly #options: SessionAgentOptions;
  #attached: Attached | undefined;
  #closing: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> = Promise.resolve();
  #isShut = false;
  readonly #return: AgentReturn;
  #cancelInterruptTimer: () => void = () => undefined;

  constructor(options: SessionAgentOptions) {
    this.#options = options;
    const { clock, returnMs: ms = 0 } = options;
    this.#return = new AgentReturn({ clock, ms, onLost: () => this.#onLost() });
  }

  /** The agent was started elsewhere: it is neither started nor ended to make room, and what it does outlives us. */
  get isGuest(): boolean {
    return this.#options.returnMs !== undefined;
  }

  /** A guest that was at work may come back to it: before that nothing of it is settled. */
  awaitReturn(): void {
    this.#return.begin();
  }

  /** There is a run, or one is on its way. */
  get isAttached(): boolean {
    return this.#attached !== undefined;
  }

  /** There is a run that could be given back. */
  get hasAgent(): boolean {
    return this.#attached?.hasStarted === true && !this.isGuest;
  }

  /** The run does something although no turn runs. */
  get hasBackgroundWork(): boolean {
    return this.#attached?.work.isRunning === true;
  }

  /** Hands a turn to the agent, starting it if need be; a failure ends the turn. */
  startTurn(input: TurnInput & HasAttachments): Promise<void> {
    this.#sending = this.#send(input);
    return this.#sending;
  }

  /** Starts or wakes the agent; rejects as `busy` when no slot is free and none can be freed. */
  async wake(): Promise<void> {
    await this.#ensure({ isPatient: false });
  }

  async rollback(options: RollbackOptions): Promise<{ filesRestored?: string[] }> {
    const live = await this.#ensure({ isPatient: false });
    return live.rollback(options);
  }

  async compact(instructions?: string): Promise<void> {
    const live = await this.#ensure({ isPatient: false });
    const work = this.#attached?.work;
    work?.startCompaction();
    try {
      await live.compact(instructions);
    } catch (error) {
      work?.endCompaction();
      throw error;
    }
  }

  /** The files that configure the agent may be others, or may be trusted now: an idle one ends, and the log says what is in force. */
  async reconfigure(): Promise<void> {
    const { configuration, recorder } = this.#options;
    const { cwd } = recorder.control.session;
    if (cwd === undefined || this.#isShut) return;
    await this.#endOutdated();
    const applied = await configuration.apply(cwd);
    if (this.#attached || this.#isShut) return;
    this.#recordAny(configurationChange(recorder.control, applied));
  }

  /** False when the turn that the input should join is over, or its agent did not take it. */
  async steer(input: TurnInput): Promise<boolean> {
    const { onError } = this.#options;
    await this.#sending;
    const live = await this.#attached?.live.catch(() => undefined);
    if (!live || !this.#isRunning(input.turnId)) return false;
    try {
      await live.steer(input);
      return true;
    } catch (error) {
      if (!(error instanceof RuntimeError)) onError(error);
      return false;
    }
  }

  /** Does to the agent what was decided; without an agent there is nothing to do it to. */
  async perform(effect: Exclude<Effect, { type: "steer" }>): Promise<void> {
    const { recorder, clock, interruptMs } = this.#options;
    const turnId = recorder.control.turn?.turn_id;
    if (effect.type === "close_run") return this.close();
    if (effect.type === "set_archived") return this.#setArchived(effect.isArchived);
    if (effect.type === "interrupt" && turnId !== undefined && !this.#isShut) {
      this.#cancelInterruptTimer();
      this.#cancelInterruptTimer = startTimer(clock, interruptMs, () => this.#giveUp(turnId));
    }
    // What stops a turn must not overtake the message that starts it.
    if (effect.type === "interrupt") await this.#sending;
    await this.#return.settled;
    const live = await this.#attached?.live.catch(() => undefined);
    await live?.perform(effect, recorder.control.shared);
  }

  /** Settles a turn in flight with the cause, then ends the agent; resolves when it is gone. */
  async close(cause?: LostCause): Promise<void> {
    const attached = this.#attached;
    this.#attached = undefined;
    this.#cancelInterruptTimer();
    this.#return.end();
    if (cause) this.settle(cause);
    if (attached) this.#closing = Promise.all([this.#closing, endRun(attached)]);
    await this.#closing;
  }

  /** Closes for good: no run starts any more. */
  async shut(cause?: LostCause): Promise<void> {
    this.#isShut = true;
    await this.close(cause);
  }

  /** Ends all that an agent which is gone has left: its tasks, every open request, and the turn. */
  settle(cause: LostCause): void {
    const { recorder, tasks } = this.#options;
    recorder.flush();
    const stopped = tasks.stopped(cause.message);
    const events = [...stopped, ...settle(recorder.control, cause)];
    if (events.length > 0) recorder.record(events);
  }

  /** The live run, started or woken if there is none; waits for an earlier one to be gone. */
  #ensure({ isPatient }: { isPatient: boolean }): Promise<LiveRun> {
    if (this.#isShut) return Promise.reject(sessionEnding());
    if (this.#attached) return this.#attached.live;
    const abort = new AbortController();
    const attached: Attached = {
      abort,
      work: new BackgroundWork(this.#options.clock),
      callbacks: this.#options.waitingCallbacks.all,
      hasStarted: false,
      live: this.#closing.then(() => this.#open(attached, isPatient)),
    };
    this.#attached = attached;
    detach(attached.live, () => this.#detachRun(attached));
    return attached.live;
  }

  /** Ends a run whose files are no longer what it was started with; the next one takes what is in force then. */
  async #endOutdated(): Promise<void> {
    const { runtime, configuration, recorder, gate } = this.#options;
    const attached = this.#attached;
    const { cwd } = recorder.control.session;
    if (!attached?.hasStarted || attached.work.isRunning || cwd === undefined || this.isGuest)
      return;
    const key = await configuration.keyNow(cwd);
    const maxTurns = maxTurnsOf(runtime, gate);
    const isSame = key === attached.configurationKey && maxTurns === attached.maxTurns;
    if (!isSame && this.#attached === attached) await this.close();
  }

  /** The run for a turn, however long it takes; undefined once the turn is over. */
  async #ensureFor(turnId: string): Promise<LiveRun | undefined> {
    await this.#endOutdated();
    while (this.#isRunning(turnId)) {
      try {
        return await this.#ensure({ isPatient: true });
      } catch (error) {
        // Somebody else's attempt, which was not to wait, found all agents at work.
        const isBusy = error instanceof RuntimeError && error.code === "busy";
        if (!isBusy || this.#isShut) throw error;
      }
    }
    return undefined;
  }

  /** The next run waits for it, as it waits for an earlier one to be gone. */
  async #setArchived(isArchived: boolean): Promise<void> {
    const { runtime, recorder } = this.#options;
    const id = recorder.control.session.provider_session_id;
    if (id === undefined) return;
    const archiving = this.#closing.then(() => runtime.setArchived?.(id, isArchived));
    this.#closing = archiving.catch(() => undefined);
    await archiving;
  }

  async #send(input: TurnInput & HasAttachments): Promise<void> {
    try {
      const live = await this.#ensureFor(input.turnId);
      const whole = await restoreInput(input, this.#options.recorder.log);
      if (this.#isRunning(input.turnId)) await live?.send(whole);
    } catch (error) {
      if (!(error instanceof RuntimeError)) this.#options.onError(error);
      if (!this.#isRunning(input.turnId)) return;
      await this.close(lostCauseFrom(error));
    }
  }

  async #open(attached: Attached, isPatient: boolean): Promise<LiveRun> {
    const { runtime, recorder, slots, onError } = this.#options;
    const { signal } = attached.abort;
    const request = { signal, isPatient, onWaiting: recordWaiting(recorder) };
    const giveBack = this.isGuest ? () => undefined : await slots.take(request);
    try {
      const { options, applied, maxTurns } = await prepareRun(this.#options);
      if (maxTurns !== undefined) attached.maxTurns = maxTurns;
      signal.throwIfAborted();
      const live = await LiveRun.start(runtime, options, {
        onDrafts: (drafts) => {
          attached.work.observe(drafts);
          return recorder.offer(drafts);
        },
        onEnd: (end, drafts) => {
          giveBack();
          this.#onEnd(end, drafts, this.#detachRun(attached));
        },
        onError,
      });
      await live.deliver(attached.callbacks);
      attached.hasStarted = true;
      this.#return.end();
      if (applied) attached.configurationKey = applied.key;
      this.#recordAny(configurationChange(recorder.control, applied));
      if (this.#attached === attached && recorder.control.session.status === "hibernated") {
        recorder.record([draft("session_updated", { status: "live" })]);
      }
      return live;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #recordAny(events: readonly EventDraft[]): void {
    if (events.length > 0) this.#options.recorder.record(events);
  }

  /** True when the run was still ours, so that nothing has settled what it leaves. */
  #detachRun(attached: Attached): boolean {
    if (this.#attached !== attached) return false;
    this.#attached = undefined;
    return true;
  }

  #onEnd(end: NativeEnd, rest: readonly EventDraft[], isUnexpected: boolean): void {
    const { recorder, onError } = this.#options;
    // What a guest has begun continues without us.
    if (this.isGuest && !isUnexpected) return;
    detach(recorder.offer(rest), onError);
    if (!isUnexpected) return this.#settleOwn();
    this.#cancelInterruptTimer();
    this.settle({
      code: "agent_exited",
      message: end.type === "died" ? end.message : "The agent ended before its turn did.",
      ...(end.type === "died" && end.exitCode !== undefined && { exitCode: end.exitCode }),
    });
    recorder.record([draft("session_updated", { status: "hibernated" })]);
  }

  #onLost(): void {
    const message = "The agent disconnected and did not reconnect.";
    this.settle({ code: "turn_lost", message });
    this.#options.recorder.record([draft("session_updated", { status: "hibernated" })]);
  }

  /** What a run asked or began by itself while it was being closed ends with it; a person's turn waits for the next. */
  #settleOwn(): void {
    const { recorder } = this.#options;
    recorder.flush();
    const { control } = recorder;
    const isOwnTurn = control.turn !== null && control.turn.message_id === undefined;
    const left = isOwnTurn ? control : { ...control, turn: null };
    const message = "The agent was hibernated.";
    const events = settle(left, { code: "agent_exited", message });
    if (events.length > 0) recorder.record(events);
  }

  /** The agent did not stop when asked: its turn ends as stopped and it is closed. */
  #giveUp(turnId: string): void {
    if (!this.#isRunning(turnId)) return;
    const closing = this.close({
      code: "interrupt_timeout",
      message: "The agent did not stop in time and was ended.",
      isStopped: true,
    });
    detach(closing, this.#options.onError);
  }

  #isRunning(turnId: string): boolean {
    return this.#options.recorder.control.turn?.turn_id === turnId;
  }
}

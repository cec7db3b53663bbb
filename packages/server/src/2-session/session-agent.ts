import { errorText } from "../1-runtime/error-text.ts";
import type { Control, EventDraft } from "@turnwire/protocol";
import { draft } from "@turnwire/protocol";
import type { Clock } from "../1-runtime/clock.ts";
import { detach } from "../1-runtime/detach.ts";
import type { NativeEnd } from "../1-runtime/normalizer.ts";
import type { RunOptions, Runtime, TurnInput } from "../1-runtime/runtime.ts";
import { RuntimeError } from "../1-runtime/runtime.ts";
import type { Effect } from "./effect.ts";
import { LiveRun } from "./live-run.ts";
import type { Recorder } from "./recorder.ts";
import type { RunSlots } from "./run-slot.ts";
import type { LostCause } from "./settle.ts";
import { settle } from "./settle.ts";
import { startTimer } from "./timer.ts";

export interface SessionAgentOptions {
  readonly runtime: Runtime;
  readonly recorder: Recorder;
  readonly slots: RunSlots;
  readonly clock: Clock;
  /** How long an interrupted turn may take to end before its agent is closed. */
  readonly interruptMs: number;
  /** Read at every start: model and mode may have changed while no agent lived. */
  readonly runOptions: (control: Control) => RunOptions;
  readonly onError: (error: unknown) => void;
}

/** A run that lives or is on its way. */
interface Attached {
  readonly live: Promise<LiveRun>;
  readonly abort: AbortController;
}

/** The agent side of a session: starts a run when one is needed, and settles what a dead one leaves. */
export class SessionAgent {
  readonly #options: SessionAgentOptions;
  #attached: Attached | undefined;
  #closing: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> = Promise.resolve();
  #cancelInterruptTimer: () => void = () => undefined;

  constructor(options: SessionAgentOptions) {
    this.#options = options;
  }

  get isLive(): boolean {
    return this.#attached !== undefined;
  }

  /** Hands a turn to the agent, starting it if need be; a failure ends the turn. */
  startTurn(input: TurnInput): Promise<void> {
    this.#sending = this.#send(input);
    return this.#sending;
  }

  /** The live run, started or woken if there is none; waits for an earlier one to be gone. */
  ensure(): Promise<LiveRun> {
    if (this.#attached) return this.#attached.live;
    const abort = new AbortController();
    const attached: Attached = {
      abort,
      live: this.#closing.then(() => this.#open(abort.signal, () => this.#detachRun(attached))),
    };
    this.#attached = attached;
    detach(attached.live, () => this.#detachRun(attached));
    return attached.live;
  }

  /** Does to the agent what was decided; without an agent there is nothing to do it to. */
  async perform(effect: Effect): Promise<void> {
    const { recorder, clock, interruptMs } = this.#options;
    const turnId = recorder.control.turn?.turn_id;
    if (effect.type === "close_run") return this.close();
    if (effect.type === "set_archived") return this.#setArchived(effect.isArchived);
    if (effect.type === "interrupt" && turnId !== undefined) {
      this.#cancelInterruptTimer();
      this.#cancelInterruptTimer = startTimer(clock, interruptMs, () => this.#giveUp(turnId));
    }
    // What stops a turn must not overtake the message that starts it.
    if (effect.type === "interrupt") await this.#sending;
    const live = await this.#attached?.live.catch(() => undefined);
    await live?.perform(effect, recorder.control.shared);
  }

  /** Settles a turn in flight with the cause, then ends the agent; resolves when it is gone. */
  async close(cause?: LostCause): Promise<void> {
    const attached = this.#attached;
    this.#attached = undefined;
    this.#cancelInterruptTimer();
    if (cause) this.settle(cause);
    if (attached) this.#closing = Promise.all([this.#closing, endRun(attached)]);
    await this.#closing;
  }

  /** The next run waits for it, as it waits for an earlier one to be gone. */
  async #setArchived(isArchived: boolean): Promise<void> {
    const { runtime, recorder } = this.#options;
    const id = recorder.control.session.provider_session_id;
    if (id === undefined) return;
    const told = this.#closing.then(() => runtime.setArchived?.(id, isArchived));
    this.#closing = told.catch(() => undefined);
    await told;
  }

  async #send(input: TurnInput): Promise<void> {
    try {
      const live = await this.ensure();
      if (this.#isRunning(input.turnId)) await live.send(input);
    } catch (error) {
      if (!(error instanceof RuntimeError)) this.#options.onError(error);
      if (!this.#isRunning(input.turnId)) return;
      const message = errorText(error);
      const isFinal = error instanceof RuntimeError && error.code === "invalid_input";
      await this.close({ code: "agent_failed", message, isFinal });
    }
  }

  async #open(signal: AbortSignal, onGone: () => boolean): Promise<LiveRun> {
    const { runtime, recorder, slots, runOptions, onError } = this.#options;
    await slots.acquire(signal);
    try {
      const live = await LiveRun.start(runtime, runOptions(recorder.control), {
        onDrafts: (drafts) => recorder.offer(drafts),
        onEnd: (end, drafts) => {
          slots.release();
          this.#onEnd(end, drafts, onGone());
        },
        onError,
      });
      if (recorder.control.session.status === "hibernated") {
        recorder.record([draft("session_updated", { status: "live" })]);
      }
      return live;
    } catch (error) {
      slots.release();
      throw error;
    }
  }

  /** True when the run was still ours, so that nobody has settled what it leaves. */
  #detachRun(attached: Attached): boolean {
    if (this.#attached !== attached) return false;
    this.#attached = undefined;
    return true;
  }

  #onEnd(end: NativeEnd, rest: readonly EventDraft[], isUnexpected: boolean): void {
    const { recorder, onError } = this.#options;
    detach(recorder.offer(rest), onError);
    if (!isUnexpected) return;
    this.#cancelInterruptTimer();
    this.settle({
      code: "agent_exited",
      message: end.type === "died" ? end.message : "The agent ended before its turn did.",
      ...(end.type === "died" && end.exitCode !== undefined && { exitCode: end.exitCode }),
    });
    recorder.record([draft("session_updated", { status: "hibernated" })]);
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

  /** Ends what waits on an agent that is gone: every open request, and the turn. */
  settle(cause: LostCause): void {
    const { recorder } = this.#options;
    recorder.flush();
    const events = settle(recorder.control, cause);
    if (events.length > 0) recorder.record(events);
  }
}

async function endRun(attached: Attached): Promise<void> {
  attached.abort.abort(new RuntimeError("not_available", "The session was closed."));
  const live = await attached.live.catch(() => undefined);
  await live?.close();
  await live?.ended;
}

import { randomUUID } from "node:crypto";
import { usedOf } from "@turnwire/protocol";
import { type Clock, detach, startTimer } from "@turnwire/base";
import { budgetDue } from "../decide/budget-due.ts";
import type { EffectDispatch } from "./effect-dispatch.ts";
import type { Recorder } from "../record/recorder.ts";

/** Timers of a runtime have an upper limit, and a clock may be set: time is looked at again at least this often. */
const maxWaitMs = 10 * 60_000;
const minWaitMs = 5;

export interface BudgetWatchOptions {
  readonly recorder: Recorder;
  readonly dispatch: EffectDispatch;
  readonly clock: Clock;
  readonly acceptsCommands: () => boolean;
}

/** Holds a session to its budget: after every event that counts, and when its time is up. */
export class BudgetWatch {
  readonly #options: BudgetWatchOptions;
  #cancelTimer: () => void = () => undefined;

  constructor(options: BudgetWatchOptions) {
    this.#options = options;
  }

  /** Asks and stops what runs if a limit is reached; else comes back when the time would be up. */
  check(): void {
    const { recorder, clock, acceptsCommands } = this.#options;
    this.#cancelTimer();
    if (!recorder.control.session.budget || !acceptsCommands()) return;
    recorder.flush();
    const due = budgetDue(recorder.control, { now: clock.now(), id: randomUUID() });
    if (!due) return this.#waitForTime();
    const turnId = recorder.control.turn?.turn_id;
    const { committed } = recorder.record(due.events);
    const stopping = committed.then(() => {
      const isRunning = recorder.control.turn?.turn_id === turnId;
      if (isRunning) this.#options.dispatch.afterAnswer(due.effects);
    });
    // A store that fails is reported where the session breaks by it.
    detach(stopping, () => undefined);
  }

  stop(): void {
    this.#cancelTimer();
  }

  #waitForTime(): void {
    const { recorder, clock } = this.#options;
    const { budget } = recorder.control.session;
    const minutes = budget?.allowed.minutes;
    if (!budget || minutes === undefined || budget.working_since === undefined) return;
    const left = (minutes - usedOf(budget, "minutes", clock.now())) * 60_000;
    const ms = Math.min(Math.max(Math.ceil(left), minWaitMs), maxWaitMs);
    this.#cancelTimer = startTimer(clock, ms, () => this.check());
  }
}

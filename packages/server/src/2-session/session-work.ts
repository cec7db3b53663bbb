import { activityOf, draft } from "@turnwire/protocol";
import type { SessionAgent } from "./agent/session-agent.ts";
import { isAtRest } from "./decide/budget-due.ts";
import type { Procedures } from "./procedure.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Retention } from "./record/retention.ts";

export interface SessionWorkOptions {
  readonly recorder: Recorder;
  readonly procedures: Procedures;
  readonly retention: Retention;
  readonly agent: SessionAgent;
  /** Other hosts use the same store. */
  readonly isShared: boolean;
}

/** The work in progress of a session: whether its agent, or the session itself, may be released. */
export class SessionWork {
  readonly #options: SessionWorkOptions;

  constructor(options: SessionWorkOptions) {
    this.#options = options;
  }

  /** Nothing runs and nothing waits: the agent could be given back. */
  get canHibernate(): boolean {
    const { recorder, procedures, retention, agent } = this.#options;
    const isBusy = procedures.isRunning || retention.isSuspended || agent.hasBackgroundWork;
    return isAtRest(recorder.control) && !isBusy;
  }

  /** The session's end would cut something off. What a guest has begun continues without us. */
  get wouldLoseWork(): boolean {
    const { recorder, procedures, retention, agent } = this.#options;
    const isTurnRunning = recorder.control.turn !== null && !agent.isGuest;
    return isTurnRunning || procedures.isRunning || retention.isSuspended;
  }

  /** It stays with its host while it is idle: without one, what is open in it would look as if its host had died. */
  get mustStayLoaded(): boolean {
    const { recorder, isShared } = this.#options;
    return isShared && activityOf(recorder.control) !== "idle";
  }

  /** Gives the agent back where nothing needs it. */
  async hibernate(): Promise<void> {
    const { recorder, agent } = this.#options;
    // The agent may have begun something by itself in the same tick.
    recorder.flush();
    if (!agent.isAttached || agent.isGuest || !this.canHibernate) return;
    recorder.record([draft("session_updated", { status: "hibernated" })]);
    await agent.close();
  }
}

import type { ModelRun } from "../model/model-run.ts";

/** How long the turns of a host that drains have. */
export const drainLimitMs = 5_000;
/** What was on its way when the drain began has arrived after so long, and what is said has been stored. */
const SLACK_MS = 1_000;

/** Looks at one host from the moment it drains, as long as nothing else befalls it. */
export class DrainWatch {
  readonly problems: string[] = [];
  /** Turns whose agent came to their end in time. */
  readonly endedTurns = new Set<string>();
  readonly #since: number;
  readonly #mayWait: boolean;
  readonly #known = new Set<string>();

  /** `mayWait`: a turn that has begun may have to wait for an agent. */
  constructor(since: number, mayWait: boolean) {
    this.#since = since;
    this.#mayWait = mayWait;
  }

  noteEnd(turnId: string, now: number): void {
    if (now - this.#since <= drainLimitMs - SLACK_MS) this.endedTurns.add(turnId);
  }

  /** The turns that its agents work at now. */
  look(runs: readonly ModelRun[], now: number): void {
    for (const { turnId } of runs) {
      if (turnId === undefined || this.#known.has(turnId)) continue;
      this.#known.add(turnId);
      const sinceMs = now - this.#since;
      if (sinceMs > SLACK_MS && !this.#mayWait)
        this.problems.push(`began ${turnId} ${sinceMs} ms into its drain`);
    }
  }

  /** It has drained: in time, and before the limit only where no agent works any more. */
  noteDrained(runs: readonly ModelRun[], now: number): void {
    const ms = now - this.#since;
    for (const { turnId, isCloseAsked, isTalking } of runs) {
      const isAtWork = turnId !== undefined && isTalking && !isCloseAsked;
      if (isAtWork && ms < drainLimitMs) this.problems.push(`gave ${turnId} up after ${ms} ms`);
    }
    if (ms > drainLimitMs + SLACK_MS) this.problems.push(`drained for ${ms} ms`);
  }
}

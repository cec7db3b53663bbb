import { randomUUID } from "node:crypto";
import { draft } from "@turnwire/protocol";
import { type Clock, detach } from "@turnwire/base";
import type { BudgetWatch } from "../watch/budget-watch.ts";
import { waitsForBudget, refusedTurn } from "../decide/budget-due.ts";
import type { EffectDispatch } from "../watch/effect-dispatch.ts";
import type { Recorder } from "../record/recorder.ts";
import type { SessionAgent } from "./session-agent.ts";

export interface TurnStarterOptions {
  readonly recorder: Recorder;
  readonly agent: SessionAgent;
  /** A turn waits for it: what was commanded before must reach the agent before. */
  readonly dispatch: EffectDispatch;
  readonly clock: Clock;
  /** Looks at the budget before each turn. */
  readonly budget: BudgetWatch;
  /** False while no turn may start, whatever waits. */
  readonly mayStart: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Makes turns of the messages that wait, one after the other. */
export class TurnStarter {
  readonly #options: TurnStarterOptions;

  constructor(options: TurnStarterOptions) {
    this.#options = options;
  }

  /** Starts the next turn if one is due; the agent gets it once its beginning is durable. */
  startNext(): void {
    const { recorder, agent, dispatch, budget, clock, mayStart, onError } = this.#options;
    budget.check();
    // The agent may have begun a turn by itself that is not in the control yet.
    recorder.flush();
    const { turn, queue, session } = recorder.control;
    const next = queue[0];
    if (turn || !next || session.status === "archived" || !mayStart()) return;
    const turnId = randomUUID();
    if (waitsForBudget(recorder.control, clock.now())) {
      if (next.is_unattended) recorder.record(refusedTurn(recorder.control, turnId, clock.now()));
      return;
    }
    const place = { turn_id: turnId };
    const started = draft("turn_started", { turn_id: turnId, message_id: next.message_id }, place);
    const { committed } = recorder.record([started]);
    const starting = Promise.all([committed, dispatch.delivered]).then(() =>
      agent.startTurn({
        turnId,
        messageId: next.message_id,
        content: next.content,
        ...(next.attachments && { attachments: next.attachments }),
        ...(next.context !== undefined && { context: next.context }),
        ...(next.callback && { callback: next.callback }),
        ...(next.review && { review: next.review }),
        ...(next.is_unattended && { isUnattended: true }),
      }),
    );
    detach(starting, onError);
  }
}

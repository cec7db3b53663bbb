import { errorText } from "@turnwire/base";
import { type AcceptedMessage, ClientError, type Session } from "@turnwire/client";
import { type BudgetLimit, containmentProblem } from "@turnwire/protocol";
import { type TurnEnd, turnEnd } from "../session/turn-outcome.ts";
import type { AgentSessions } from "./agent-session.ts";
import { type BudgetHold, holdToBudget } from "./budget-hold.ts";
import { type Move, nextMove, type StepOutcome, verdictOfStep } from "./next-move.ts";
import { isLoop, type RunLimits, type RunPlan } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { reviewPrompt, workPrompt } from "./prompt-text.ts";
import type { RunRecord, StepRecord } from "./report.ts";
import { exhausted, nothingSpent, type Spending } from "./spending.ts";
import { type LinePrinter, printTurn } from "./turn-lines.ts";
import { type TurnEnding, turnEnding } from "./turn.ts";
import { turnAnswer, turnProblem } from "./turn-answer.ts";

/** How long the last lines of a turn may take to arrive after its end. */
const LAST_LINES_MS = 15_000;
/** What waiting may take beside the minutes of work that are left. */
const WAITING_MS = 60_000;

export interface RunnerOptions {
  readonly plan: RunPlan;
  readonly limits: RunLimits;
  readonly sessions: AgentSessions;
  readonly progress: Progress;
  /** Prints the turns in stream-json, where that is wanted. */
  readonly lines: LinePrinter | undefined;
  /** Where a session can be opened in a browser. */
  readonly linkTo: (sessionId: string) => string;
  /** Aborted when the run is to stop. */
  readonly signal: AbortSignal;
  /** Called before a message is sent. */
  readonly onSend?: (() => void) | undefined;
}

type Step = Exclude<Move, { type: "end" }>;

/** Performs the turns of a run one after the other, until the plan, a limit or a person ends it. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #steps: StepRecord[] = [];
  #spent: Spending = nothingSpent;
  #reached: readonly BudgetLimit[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  async run(): Promise<RunRecord> {
    const { plan, limits, signal, sessions } = this.#options;
    try {
      for (;;) {
        const move = nextMove(plan, this.#steps);
        if (move.type === "end") return this.#end(move.outcome);
        if (signal.aborted) return this.#end("stopped");
        this.#reached = exhausted(limits, this.#spent);
        if (this.#reached.length > 0) return this.#end("limit_reached");
        this.#steps.push(await this.#perform(move));
      }
    } finally {
      sessions.close();
    }
  }

  #end(outcome: RunRecord["outcome"]): RunRecord {
    return { outcome, steps: this.#steps, reached: this.#reached };
  }

  async #perform(step: Step): Promise<StepRecord> {
    const { sessions, progress, limits, linkTo } = this.#options;
    const session = await sessions.open(step.type, step.iteration);
    progress.heading(this.#headingOf(step, session), linkTo(session.id));
    const problem = containmentProblem(session.getState().session.session);
    if (problem !== undefined) progress.note(`Commands run without containment: ${problem}`);
    const stopShowing = progress.follow(session);
    try {
      const hold = await holdToBudget(session, limits, this.#spent);
      const ending = await this.#takeTurn(session, this.#promptOf(step));
      const record = await this.#recordOf(step, session, ending);
      if (record.outcome === "limit_reached") this.#reached = hold.reached();
      this.#spent = hold.spent();
      if (ending.fate.type !== "pending") await this.#releaseBudget(hold);
      return record;
    } finally {
      stopShowing();
      sessions.release(session);
    }
  }

  #headingOf({ type, iteration }: Step, session: Session): string {
    const { plan } = this.#options;
    const { runtime } = session.getState().session.session;
    if (type === "review") return `Review ${iteration} · ${runtime}`;
    const place = isLoop(plan) ? ` ${iteration} of at most ${plan.maxIterations}` : "";
    return `Turn${place} · ${runtime}`;
  }

  #promptOf({ type }: Step): string {
    const { plan } = this.#options;
    const last = this.#steps.at(-1);
    return type === "review" && last ? reviewPrompt(plan, last) : workPrompt(plan, this.#steps);
  }

  async #takeTurn(session: Session, prompt: string): Promise<TurnEnding> {
    const { limits, signal, onSend } = this.#options;
    onSend?.();
    const accepted = await session.send(prompt, { is_unattended: true });
    const left = limits.minutes === undefined ? undefined : limits.minutes - this.#spent.minutes;
    const timeoutMs = left === undefined ? undefined : left * 60_000 + WAITING_MS;
    const printed = this.#print(session, accepted);
    const ending = await turnEnding(session, accepted, { signal, timeoutMs });
    await printed.finish();
    return ending;
  }

  /** Printing begins at once; its failure is thrown by `finish`. */
  #print(session: Session, accepted: AcceptedMessage): { finish: () => Promise<void> } {
    const { lines } = this.#options;
    if (!lines) return { finish: async () => undefined };
    const abort = new AbortController();
    const printing = printTurn(session, accepted, { ...lines, signal: abort.signal }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    return {
      async finish() {
        const timer = setTimeout(() => abort.abort(), LAST_LINES_MS);
        const failure = await printing;
        clearTimeout(timer);
        if (failure) throw failure.error;
      },
    };
  }

  async #recordOf(
    { type, iteration }: Step,
    session: Session,
    { fate, givenUp }: TurnEnding,
  ): Promise<StepRecord> {
    const { session: state } = session.getState();
    const { runtime } = state.session;
    const step = { type, iteration, runtime, sessionId: session.id };
    if (fate.type !== "ended") {
      const outcome = givenUp === "timeout" ? "limit_reached" : "stopped";
      return { ...step, outcome, answer: "", turnId: undefined, result: undefined };
    }
    const { turnId } = fate;
    const end = turnEnd(state, turnId);
    const hasForm = type === "review" || !this.#options.plan.isStructured;
    const lacksForm = !hasForm && end.result?.structured_output === undefined;
    const reached = outcomeOf(end, givenUp);
    const outcome = reached === "ok" && lacksForm ? "failed" : reached;
    const answer = await turnAnswer(session, turnId);
    return {
      ...step,
      outcome,
      answer,
      turnId,
      ...(type === "review" && outcome === "ok" && { verdict: verdictOfStep({ answer }) }),
      ...(reached !== "ok" && { problem: turnProblem(state, turnId) }),
      ...(reached === "ok" && lacksForm && { problem: formProblem }),
      result: end.result,
    };
  }

  async #releaseBudget(hold: BudgetHold): Promise<void> {
    try {
      await hold.release();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      this.#options.progress.note(`The session keeps the limits of this run: ${errorText(error)}`);
    }
  }
}

const formProblem = "The agent did not answer in the form of --output-schema.";

function outcomeOf(
  { result, isStopped, hasFailed }: TurnEnd,
  givenUp: TurnEnding["givenUp"],
): StepOutcome {
  if (givenUp === "timeout" || result?.subtype === "budget_reached") return "limit_reached";
  if (isStopped) return "stopped";
  return hasFailed ? "failed" : "ok";
}

import {
  activityOf,
  type Control,
  draft,
  type EventData,
  type EventDraft,
  type EventDraftOf,
  reachedLimits,
  type SessionBudget,
} from "@turnwire/protocol";
import type { Effect } from "./effect.ts";
import { figure, openBudgetRequest } from "./budget.ts";
import { resolveAll } from "./resolve.ts";

/** The subtype of a result whose turn a budget ended. */
const subtype = "budget_reached";

/** What a reached budget makes the session do. */
export interface BudgetDue {
  readonly events: readonly EventDraft[];
  readonly effects: readonly Effect[];
}

/** A budget is reached, so that no turn may start. */
export function waitsForBudget(control: Control, now: number): boolean {
  const { budget } = control.session;
  if (!budget) return false;
  return openBudgetRequest(control) !== undefined || reachedLimits(budget, now).length > 0;
}

/** Nothing runs, and what waits, waits only for a person to raise the budget. */
export function isAtRest(control: Control): boolean {
  if (activityOf(control) === "idle") return true;
  const requests = Object.values(control.requests);
  const isAskedOnly = requests.every(({ type }) => type === "budget_request");
  return control.turn === null && requests.length > 0 && isAskedOnly;
}

/**
 * Stops the running turn and asks a person, once, when a limit is reached. A runtime whose turns
 * cannot be stopped finishes its turn first. Without a person the answer is to stop.
 */
export function budgetDue(
  control: Control,
  { now, id }: { readonly now: number; readonly id: string },
): BudgetDue | undefined {
  const { session, turn, queue } = control;
  const { budget, capabilities } = session;
  if (!budget || session.is_closed || session.status === "archived") return undefined;
  const reached = reachedLimits(budget, now);
  if (reached.length === 0 || openBudgetRequest(control)) return undefined;
  const asked = { correlation_id: id, reached, allowed: budget.allowed, used: budget.used };
  if (turn) {
    if (budget.stopped_turn || !capabilities.interrupt) return undefined;
    const place = { turn_id: turn.turn_id };
    const answer = { correlation_id: id, outcome: "answered", decision: "stop" } as const;
    return {
      events: [
        draft("budget_request", asked, place),
        ...(turn.is_unattended ? [draft("budget_resolved", answer, place)] : []),
        ...resolveAll(control, "cancelled"),
      ],
      effects: [{ type: "interrupt" }],
    };
  }
  const [next] = queue;
  if (next ? next.is_unattended : budget.is_stopped) return undefined;
  const place = control.last_turn_id === null ? {} : { turn_id: control.last_turn_id };
  return { events: [draft("budget_request", asked, place)], effects: [] };
}

/** The whole turn of a message that came without a person who could raise the budget. */
export function refusedTurn(control: Control, turnId: string, now: number): EventDraft[] {
  const messageId = control.queue[0]?.message_id;
  const place = { turn_id: turnId };
  const started = { turn_id: turnId, ...(messageId !== undefined && { message_id: messageId }) };
  const { budget } = control.session;
  return [
    draft("turn_started", started, place),
    draft("result", resultOf(turnId, budget, now), place),
    draft("done", { turn_id: turnId }, place),
  ];
}

/** The result of a turn that a budget ended says so, whatever its runtime says of it. */
export function resultInBudget(
  control: Control,
  result: EventDraftOf<"result">,
): EventDraftOf<"result"> {
  const { subtype: reported, is_error: isError, turn_id: turnId } = result.data;
  const isCut = isError || reported === "interrupted";
  if (!isCut || !isBeingStopped(control, turnId)) return result;
  return { ...result, data: { ...result.data, subtype, is_error: true } };
}

/** The result of a turn that a budget ended and whose agent gave none. */
export function missingResult(control: Control, isStopped: boolean): EventDraft[] {
  const { turn, session } = control;
  if (!turn || !isStopped || !isBeingStopped(control, turn.turn_id)) return [];
  const place = { turn_id: turn.turn_id };
  return [draft("result", resultOf(turn.turn_id, session.budget, undefined), place)];
}

function isBeingStopped({ session }: Control, turnId: string): boolean {
  const stopped = session.budget?.stopped_turn;
  return stopped?.turn_id === turnId && stopped.is_reported !== true;
}

function resultOf(
  turnId: string,
  budget: SessionBudget | undefined,
  now: number | undefined,
): EventData<"result"> {
  const limits = budget ? reachedLimits(budget, now) : [];
  const used = budget
    ? limits.map((name) => `${figure(budget, name, now)} of ${budget.allowed[name]} ${name}`)
    : [];
  const why = used.length > 0 ? `: ${used.join(", ")}` : "";
  return {
    turn_id: turnId,
    subtype,
    is_error: true,
    text: `The session has reached its budget${why}.`,
  };
}

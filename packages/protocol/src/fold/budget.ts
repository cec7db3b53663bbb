import { elapsedMs } from "../part/budget-use.ts";
import type { BudgetUse, SessionBudget } from "../part/budget.ts";
import type { EventData, EventType, SessionEvent } from "../event/event.ts";
import { requestTypes, resolutionTypes } from "../state/request-kind.ts";
import type { Control, SessionFacts } from "../state/state.ts";

/** Events at which time is counted: what begins or ends work, and what comes often enough in between. */
const counting: ReadonlySet<EventType> = new Set<EventType>([
  "session_updated",
  "turn_started",
  "result",
  "done",
  "message_complete",
  "tool_start",
  "tool_result",
  ...requestTypes,
  ...resolutionTypes,
  "usage",
  "error",
]);

const nothing: BudgetUse = { tokens: 0, cost_usd: 0, worked_ms: 0, turns: 0 };

/** New limits keep what was used; null takes both away. */
export function withAllowed(
  { budget, ...session }: SessionFacts,
  allowed: EventData<"session_updated">["budget"],
): SessionFacts {
  if (allowed === null) return session;
  if (allowed === undefined) return budget ? { ...session, budget } : session;
  const { is_stopped: _chosen, ...kept } = budget ?? { used: nothing };
  return { ...session, budget: { ...kept, allowed } };
}

/** Counts what an event reports, and the time until it. */
export function countBudget(
  budget: SessionBudget,
  event: SessionEvent,
  [before, after]: [Control, Control],
): SessionBudget {
  const next = counted(budget, event, [before, after]);
  return counting.has(event.type) ? timed(next, event, after) : next;
}

function counted(
  budget: SessionBudget,
  event: SessionEvent,
  [before, after]: [Control, Control],
): SessionBudget {
  switch (event.type) {
    case "turn_started": {
      const { stopped_turn: _earlier, turn: _ended, ...rest } = budget;
      return rest;
    }
    case "usage":
      return before.turn
        ? withShare(budget, event.data.turn_tokens, event.data.turn_cost_usd)
        : budget;
    case "result":
      return before.turn?.turn_id === event.data.turn_id ? withResult(budget, event.data) : budget;
    case "done":
      return before.turn?.turn_id === event.data.turn_id ? ended(budget) : budget;
    case "budget_request":
      return after.turn ? { ...budget, stopped_turn: { turn_id: after.turn.turn_id } } : budget;
    case "budget_resolved":
      return event.data.decision === "stop" ? { ...budget, is_stopped: true } : budget;
    case "rolled_back": {
      const { stopped_turn: _undone, ...rest } = budget;
      return rest;
    }
    default:
      return budget;
  }
}

/** The figures of the running turn replace its earlier ones. */
function withShare(
  budget: SessionBudget,
  tokens: number | undefined,
  cost: number | undefined,
): SessionBudget {
  if (tokens === undefined && cost === undefined) return budget;
  const { used, turn: share = { tokens: 0, cost_usd: 0 } } = budget;
  const turn = { tokens: tokens ?? share.tokens, cost_usd: cost ?? share.cost_usd };
  return {
    ...budget,
    used: {
      ...used,
      tokens: used.tokens - share.tokens + turn.tokens,
      cost_usd: used.cost_usd - share.cost_usd + turn.cost_usd,
    },
    turn,
  };
}

/** A runtime that reports nothing during a turn reports at its end. */
function withResult(budget: SessionBudget, data: EventData<"result">): SessionBudget {
  const { usage, total_cost_usd: cost, subtype } = data;
  const sum = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
  const next = withShare(budget, Math.max(sum, budget.turn?.tokens ?? 0), cost);
  const { stopped_turn: stopped } = next;
  if (!stopped || subtype !== "budget_reached") return next;
  return { ...next, stopped_turn: { ...stopped, is_reported: true } };
}

function ended({ turn: _ended, stopped_turn: stopped, ...budget }: SessionBudget): SessionBudget {
  const used = { ...budget.used, turns: budget.used.turns + 1 };
  // A turn that was to stop and came to its own end is not unfinished.
  return { ...budget, used, ...(stopped?.is_reported && { stopped_turn: stopped }) };
}

/** While no server ran, no agent worked: that time is not counted. */
function timed(budget: SessionBudget, event: SessionEvent, after: Control): SessionBudget {
  const { working_since: since, ...rest } = budget;
  const isLoss = event.type === "error" && event.data.code === "turn_lost";
  const ms = since === undefined || isLoss ? 0 : elapsedMs(since, Date.parse(event.ts));
  const isWorking = after.turn !== null && Object.keys(after.requests).length === 0;
  if (since === undefined && !isWorking) return budget;
  const used = { ...rest.used, worked_ms: rest.used.worked_ms + ms };
  return { ...rest, used, ...(isWorking && { working_since: event.ts }) };
}

import {
  type Budget,
  type BudgetLimit,
  budgetLimits,
  type Capabilities,
  type CommandOf,
  type Control,
  draft,
  type EventDraft,
  type OpenRequest,
  reachedLimits,
  rejected,
  requestOf,
  resolutionOf,
  type SessionBudget,
  usedOf,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import { notOpen } from "./answer.ts";

/** What the agent reads when a person lets it continue. */
const goOn = "The budget of this session was raised. Continue where you stopped.";

/** Every session can count turns and time; the rest depends on what its runtime reports. */
const alwaysCounted: BudgetLimit[] = ["minutes", "turns"];

/** Refuses a limit that could never be reached, because its runtime reports nothing to count. */
export function refuseBudget(
  { budgets = alwaysCounted }: Partial<Capabilities>,
  budget: Budget | null,
): ReturnType<typeof rejected> | undefined {
  const missing = budgetLimits.find(
    (name) => budget?.[name] !== undefined && !budgets.includes(name),
  );
  if (missing === undefined) return undefined;
  return rejected(
    "capability_missing",
    `budget.${missing}: this runtime does not report it; limit ${budgets.join(", ")} instead.`,
    { capability: "budgets", field: `budget.${missing}` },
  );
}

/** New limits; where they lift a pause, they answer its request. */
export function decideBudget(
  control: Control,
  { budget }: CommandOf<"set_budget">,
  context: DecisionContext,
): Decision {
  const refusal = refuseBudget(control.session.capabilities, budget);
  if (refusal) return refusal;
  const request = openBudgetRequest(control);
  const isLifted = stillReached(control, budget, context.now).length === 0;
  return {
    ok: true,
    events:
      request && isLifted
        ? raised(control, { request, budget }, context)
        : [draft("session_updated", { budget, by: context.by })],
    effects: [],
  };
}

/** A person's decision about a session that has reached its budget. */
export function decideBudgetAnswer(
  control: Control,
  { correlation_id: id, decision, budget }: CommandOf<"budget_response">,
  context: DecisionContext,
): Decision {
  const request = requestOf(control, id);
  if (!request) return notOpen(control, id);
  if (request.type !== "budget_request") {
    return rejected(
      "invalid_request",
      `Request ${id} is a ${request.type}: budget_response does not answer it.`,
      { id },
    );
  }
  if (decision === "stop" || budget === undefined) {
    return { ok: true, events: stopped(control, request, context.by), effects: [] };
  }
  const allowed = budget && { ...control.session.budget?.allowed, ...budget };
  const refusal = refuseBudget(control.session.capabilities, allowed);
  if (refusal) return refusal;
  const reached = stillReached(control, allowed, context.now);
  if (reached.length > 0) return tooLittle(control, allowed, context.now);
  return { ok: true, events: raised(control, { request, budget: allowed }, context), effects: [] };
}

/** The request that waits for a person to raise the budget or stop. */
export function openBudgetRequest(control: Control): OpenRequest | undefined {
  return Object.values(control.requests).find(({ type }) => type === "budget_request");
}

function stillReached(control: Control, allowed: Budget | null, now: number): BudgetLimit[] {
  const { budget } = control.session;
  return budget && allowed ? reachedLimits({ ...budget, allowed }, now) : [];
}

function tooLittle(
  control: Control,
  allowed: Budget | null,
  now: number,
): ReturnType<typeof rejected> {
  const { budget } = control.session;
  const limits = stillReached(control, allowed, now);
  const used = budget ? limits.map((name) => `${name} ${figure(budget, name, now)}`) : [];
  return rejected(
    "invalid_request",
    `budget: more than this is already used: ${used.join(", ")}. Allow more than that, or stop.`,
    { reached: limits },
  );
}

/** The agent continues with what it did not finish, then with what waits. */
function raised(
  control: Control,
  { request, budget }: { request: OpenRequest; budget: Budget | null },
  { by, messageId }: DecisionContext,
): EventDraft[] {
  const isUnfinished = control.session.budget?.stopped_turn !== undefined;
  const content = [{ type: "text" as const, text: goOn }];
  return [
    resolutionOf(request, { outcome: "answered", decision: "raise", by }),
    draft("session_updated", { budget, by }),
    ...(isUnfinished
      ? [draft("user_message", { message_id: messageId, content, delivery: "turn", by })]
      : []),
  ];
}

/** What waits would only reach the same limit. */
function stopped(control: Control, request: OpenRequest, by: string): EventDraft[] {
  return [
    resolutionOf(request, { outcome: "answered", decision: "stop", by }),
    ...control.queue.map(({ message_id }) => draft("message_cancelled", { message_id, by })),
  ];
}

/** How much is used, for people, in the unit of the limit. */
export function figure(budget: SessionBudget, name: BudgetLimit, now?: number): string {
  const used = usedOf(budget, name, now);
  const digits = name === "cost_usd" ? 4 : name === "minutes" ? 1 : 0;
  return used.toLocaleString("en", { maximumFractionDigits: digits });
}

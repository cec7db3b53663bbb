import {
  type Control,
  draft,
  type EventDraft,
  type EventDraftOf,
  type JsonValue,
  outcomeOf,
  requestOf,
} from "@turnwire/protocol";
import { missingResult, resultInBudget } from "./budget-due.ts";
import { resolveAll } from "./resolve.ts";

/** What `admit` needs to know beside the state. */
export interface AdmitContext {
  readonly runtime: string;
  /** When a request asked now runs out. */
  readonly expiresAt: string;
  /** When a call of a frontend tool that is made now runs out, unless a page claims it. */
  readonly toolCallExpiresAt: (toolName: string) => string;
  readonly now: string;
}

/**
 * What the log takes of a draft that a runtime made. The grammar holds whatever an agent does:
 * a second end of a turn, a second request with a used id or a forged session event is kept as
 * `native`, so nothing is lost, and open requests end before their turn.
 */
export function admit(control: Control, offered: EventDraft, context: AdmitContext): EventDraft[] {
  const placed = inTurn(control, offered);
  switch (placed.type) {
    case "done": {
      const isRunning = control.turn?.turn_id === placed.data.turn_id;
      if (!isRunning) return [kept(placed, context)];
      const missing = missingResult(control, placed.data.stopped === true);
      return [...resolveAll(control, "cancelled"), ...missing, placed];
    }
    case "result":
      return isKnownTurn(control, placed.data.turn_id)
        ? [resultInBudget(control, placed)]
        : [kept(placed, context)];
    case "turn_started":
      if (!control.turn) return [placed];
      return [kept({ ...placed, turn_id: control.turn.turn_id }, context)];
    case "permission_request":
    case "question_request":
    case "hook_request":
    case "tool_call_request":
      return isRequestIdUsed(control, placed.data.correlation_id)
        ? [kept(placed, context)]
        : [expiring(control, placed, context)];
    case "interrupt":
      return isRequestIdUsed(control, placed.data.interrupt_id)
        ? [kept(placed, context)]
        : [expiring(control, placed, context)];
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
    case "tool_call_resolved":
      return endsOpen(control, placed.type, placed.data.correlation_id)
        ? [placed]
        : [kept(placed, context)];
    case "interrupt_resolved":
      return endsOpen(control, placed.type, placed.data.interrupt_id)
        ? [placed]
        : [kept(placed, context)];
    case "budget_request":
    case "budget_resolved":
    case "session_ready":
    case "session_closed":
    case "user_message":
    case "message_deferred":
    case "message_cancelled":
    case "tool_call_claimed":
    case "catalog_updated":
    case "permission_granted":
    case "permission_revoked":
      return [kept(placed, context)];
    default:
      return [placed];
  }
}

/** Late output stays under the turn it belongs to: the newest, unless the runtime knows better. */
function inTurn(control: Control, offered: EventDraft): EventDraft {
  if (offered.turn_id !== undefined) return offered;
  const turnId =
    offered.type === "turn_started"
      ? offered.data.turn_id
      : (control.turn?.turn_id ?? control.last_turn_id ?? undefined);
  return turnId === undefined ? offered : { ...offered, turn_id: turnId };
}

type AskedType =
  | "permission_request"
  | "question_request"
  | "hook_request"
  | "interrupt"
  | "tool_call_request";

type AskedDraft = { [Type in AskedType]: EventDraftOf<Type> }[AskedType];

function expiring(control: Control, request: AskedDraft, context: AdmitContext): EventDraft {
  const expiresAt = expiresAtOf(control, request, context);
  return { ...request, data: { ...request.data, expires_at: expiresAt } } as EventDraft;
}

/** Where no one is there to answer, a request runs out at once; a page may still perform a tool call. */
function expiresAtOf(control: Control, request: AskedDraft, context: AdmitContext): string {
  if (request.type === "tool_call_request") {
    const { expires_at, tool_name } = request.data;
    return expires_at ?? context.toolCallExpiresAt(tool_name);
  }
  if (isUnattended(control, request.turn_id)) return context.now;
  return request.data.expires_at ?? context.expiresAt;
}

/** Whether no one is there to be asked during the turn. */
export function isUnattended({ turn }: Control, turnId: string | undefined): boolean {
  return turn?.is_unattended === true && turn.turn_id === turnId;
}

/** A turn that a runtime began by itself may have lost to one that a person began. */
function isKnownTurn(control: Control, turnId: string): boolean {
  return turnId === control.turn?.turn_id || turnId === control.last_turn_id;
}

/** Whether the session has had a request with this id, as far as it remembers. */
export function isRequestIdUsed(control: Control, id: string): boolean {
  return requestOf(control, id) !== undefined || outcomeOf(control, id) !== undefined;
}

const requestOfResolution = {
  permission_resolved: "permission_request",
  question_resolved: "question_request",
  hook_resolved: "hook_request",
  interrupt_resolved: "interrupt",
  tool_call_resolved: "tool_call_request",
} as const;

function endsOpen(control: Control, type: keyof typeof requestOfResolution, id: string): boolean {
  return requestOf(control, id)?.type === requestOfResolution[type];
}

function kept(refused: EventDraft, context: AdmitContext): EventDraft {
  const { type, data, ...place } = refused;
  return draft("native", { source: context.runtime, payload: { type, data } as JsonValue }, place);
}

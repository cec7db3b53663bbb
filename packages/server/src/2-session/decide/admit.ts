import {
  type AgentRequestKind,
  type Control,
  draft,
  type EventDraft,
  type EventDraftOf,
  type EventType,
  isAskedByAgent,
  isRequest,
  isResolution,
  type JsonValue,
  outcomeOf,
  requestId,
  requestKindOf,
  requestKinds,
  requestOf,
  type RequestType,
  type RequestTypeOf,
  type ResolutionType,
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
      if (isRequest(placed)) return [admitRequest(control, placed, context)];
      if (isResolution(placed)) return [admitResolution(control, placed, context)];
      return [placed];
  }
}

type Draft<Type extends EventType> = { [Each in Type]: EventDraftOf<Each> }[Type];

function admitRequest(
  control: Control,
  request: Draft<RequestType>,
  context: AdmitContext,
): EventDraft {
  const isNew = isAskedByAgent(request) && !isRequestIdUsed(control, requestId(request));
  return isNew ? expiring(control, request, context) : kept(request, context);
}

function admitResolution(
  control: Control,
  resolution: Draft<ResolutionType>,
  context: AdmitContext,
): EventDraft {
  const { request } = requestKinds[requestKindOf(resolution)];
  const isOpen = requestOf(control, requestId(resolution))?.type === request;
  return isOpen && isAskedByAgent(resolution) ? resolution : kept(resolution, context);
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

type AskedDraft = Draft<RequestTypeOf<AgentRequestKind>>;

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

function kept(refused: EventDraft, context: AdmitContext): EventDraft {
  const { type, data, ...place } = refused;
  return draft("native", { source: context.runtime, payload: { type, data } as JsonValue }, place);
}

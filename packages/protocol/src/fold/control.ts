import { applyJsonPatch } from "../json/apply-json-patch.ts";
import { extendedCatalog } from "../part/catalog-entry.ts";
import type { EventData, SessionEvent, SessionEventOf } from "../event/event.ts";
import type { Outcome, PermissionGrant } from "../event/request.ts";
import { attached } from "./attached.ts";
import { countBudget } from "./budget.ts";
import { readyFacts, updatedFacts } from "./session-facts.ts";
import type { JsonValue } from "../json/json.ts";
import { noCapabilities } from "../part/no-capabilities.ts";
import { isRequest, isResolution, requestId, type Resolution } from "../state/request-kind.ts";
import type { SessionActivity } from "../resource/session.ts";
import type { Control, OpenRequest, QueuedMessage } from "../state/state.ts";

/** How many ended requests a session remembers, so that a late answer is distinguished from a wrong one. */
const OUTCOMES_KEPT = 1000;

/** The control of a log without events. */
export function initialControl(): Control {
  return {
    seq: 0,
    session: {
      session_id: "",
      runtime: "",
      status: "live",
      is_closed: false,
      capabilities: noCapabilities,
    },
    turn: null,
    last_turn_id: null,
    queue: [],
    requests: {},
    outcomes: {},
    shared: {},
    shared_version: 0,
    catalog: [],
  };
}

/** A control as stores may have it: states that earlier versions stored have no catalog. */
type StoredControl = Omit<Control, "catalog"> & Partial<Pick<Control, "catalog">>;

/** The control within a state, which holds the whole conversation beside it. */
export function controlOf(state: StoredControl): Control {
  return advance(state, state.seq);
}

/**
 * The next control. An event at or before `control.seq` changes nothing and gives back the same
 * control, so each event counts once; an unknown type only moves `seq`.
 */
export function foldControl(control: Control, event: SessionEvent): Control {
  if (event.seq <= control.seq) return control;
  switch (event.type) {
    case "delta":
    case "thinking":
    case "tool_input_delta":
    case "tool_output":
      return advance(control, event.seq);
    default:
      return withBudget(control, event, step(control, event));
  }
}

type Streamed = "delta" | "thinking" | "tool_input_delta" | "tool_output";

function step(control: Control, event: Exclude<SessionEvent, { type: Streamed }>): Control {
  switch (event.type) {
    case "session_ready":
      return {
        ...advance(control, event.seq),
        session: readyFacts(control.session, event.data),
        catalog: event.data.catalog ?? control.catalog,
      };
    case "session_updated":
      return { ...advance(control, event.seq), session: updatedFacts(control.session, event.data) };
    case "session_closed":
      return { ...advance(control, event.seq), session: { ...control.session, is_closed: true } };
    case "user_message":
      return event.data.delivery === "steer"
        ? advance(control, event.seq)
        : { ...advance(control, event.seq), queue: enqueued(control.queue, event) };
    case "message_deferred":
      return { ...advance(control, event.seq), queue: deferred(control.queue, event) };
    case "message_cancelled":
      return { ...advance(control, event.seq), queue: dequeued(control.queue, event.data) };
    case "turn_started":
      return startTurn(control, event);
    case "done":
      return control.turn?.turn_id === event.data.turn_id
        ? { ...advance(control, event.seq), turn: null }
        : advance(control, event.seq);
    case "tool_call_claimed":
      return claim(control, event);
    case "permission_granted":
      return withGrants(control, event.seq, [...grantsOf(control), grantFrom(event)]);
    case "permission_revoked":
      return withGrants(
        control,
        event.seq,
        grantsOf(control).filter(({ grant_id }) => !event.data.grant_ids.includes(grant_id)),
      );
    case "state_snapshot":
      return withShared(control, event, event.data.state);
    case "state_delta":
      return withShared(control, event, patched(control.shared, event.data));
    case "catalog_updated":
      return {
        ...advance(control, event.seq),
        catalog: extendedCatalog(control.catalog, event.data.entries),
      };
    case "rolled_back":
      return { ...advance(control, event.seq), last_turn_id: null };
    case "result":
    case "compacted":
    case "message_complete":
    case "tool_start":
    case "tool_result":
    case "policy_decision":
    case "component_update":
    case "component_remove":
    case "component_callback":
    case "plan":
    case "diff":
    case "usage":
    case "task":
    case "mcp_status":
    case "rate_limits":
    case "context_usage":
    case "notice":
    case "error":
    case "native":
    case "native_line":
      return advance(control, event.seq);
    default:
      if (isRequest(event)) return open(control, event);
      if (isResolution(event)) return resolve(control, event);
      return advanceUnknown(control, event);
  }
}

function withBudget(before: Control, event: SessionEvent, after: Control): Control {
  const { budget } = after.session;
  if (!budget) return after;
  const counted = countBudget(budget, event, [before, after]);
  return counted === budget ? after : { ...after, session: { ...after.session, budget: counted } };
}

/** The activity of the session, for lists and for deciding whether it may hibernate. */
export function activityOf(control: Control): SessionActivity {
  if (control.session.is_closed) return "idle";
  for (const _id in control.requests) return "waiting";
  return control.turn || control.queue.length > 0 ? "working" : "idle";
}

/** The open request with this id; safe for ids such as `constructor`. */
export function requestOf(control: Control, id: string): OpenRequest | undefined {
  return Object.hasOwn(control.requests, id) ? control.requests[id] : undefined;
}

/** How the request with this id ended, if it did and is still remembered. */
export function outcomeOf(control: Control, id: string): Outcome | undefined {
  return Object.hasOwn(control.outcomes, id) ? control.outcomes[id] : undefined;
}

/** Open requests, oldest first. */
export function openRequests(control: Control): OpenRequest[] {
  return Object.values(control.requests).toSorted((left, right) => left.seq - right.seq);
}

/** The permissions that the agent has without asking, oldest first. */
export function grantsOf({ session }: Pick<Control, "session">): readonly PermissionGrant[] {
  return session.grants ?? [];
}

function grantFrom({ data, ts }: SessionEventOf<"permission_granted">): PermissionGrant {
  return { ...data, granted_at: ts };
}

function withGrants(control: Control, seq: number, grants: readonly PermissionGrant[]): Control {
  const { grants: _earlier, ...session } = control.session;
  return {
    ...advance(control, seq),
    session: grants.length > 0 ? { ...session, grants } : session,
  };
}

function advance(control: StoredControl, seq: number): Control {
  const { session, turn, last_turn_id, queue, requests, outcomes } = control;
  const { shared, shared_version, catalog = [] } = control;
  return {
    seq,
    session,
    turn,
    last_turn_id,
    queue,
    requests,
    outcomes,
    shared,
    shared_version,
    catalog,
  };
}

/** A newer server may write types this build does not know. */
function advanceUnknown(control: Control, event: never): Control {
  const { seq }: { seq: number } = event;
  return advance(control, seq);
}

function enqueued(
  queue: readonly QueuedMessage[],
  event: SessionEventOf<"user_message">,
): readonly QueuedMessage[] {
  const message = { ...event.data, ...attached(event), seq: event.seq, ts: event.ts };
  // A message that starts a turn at once goes before those that wait.
  return event.data.delivery === "turn" ? [message, ...queue] : [...queue, message];
}

function deferred(
  queue: readonly QueuedMessage[],
  event: SessionEventOf<"message_deferred">,
): readonly QueuedMessage[] {
  const { data, seq, ts } = event;
  return [...queue, { ...data, ...attached(event), delivery: "queue", seq, ts }];
}

function dequeued(
  queue: readonly QueuedMessage[],
  { message_id }: { readonly message_id?: string | undefined },
): readonly QueuedMessage[] {
  const isQueued = queue.some((message) => message.message_id === message_id);
  return isQueued ? queue.filter((message) => message.message_id !== message_id) : queue;
}

function startTurn(control: Control, event: SessionEventOf<"turn_started">): Control {
  const { turn_id, message_id } = event.data;
  const message = control.queue.find((queued) => queued.message_id === message_id);
  return {
    ...advance(control, event.seq),
    turn: {
      turn_id,
      started_at: event.ts,
      ...(message_id !== undefined && { message_id }),
      ...(message?.is_unattended && { is_unattended: true }),
    },
    last_turn_id: turn_id,
    queue: dequeued(control.queue, event.data),
  };
}

function open(control: Control, request: OpenRequest): Control {
  const requests = { ...control.requests, [requestId(request)]: request };
  return { ...advance(control, request.seq), requests };
}

function claim(control: Control, { seq, data }: SessionEventOf<"tool_call_claimed">): Control {
  const { correlation_id, ...claimed } = data;
  const request = requestOf(control, correlation_id);
  if (request?.type !== "tool_call_request") return advance(control, seq);
  const requests = { ...control.requests, [correlation_id]: { ...request, claim: claimed } };
  return { ...advance(control, seq), requests };
}

function resolve(control: Control, event: Resolution): Control {
  const id = requestId(event);
  const { seq, data } = event;
  if (!Object.hasOwn(control.requests, id)) return advance(control, seq);
  const { [id]: _ended, ...requests } = control.requests;
  return {
    ...advance(control, seq),
    requests,
    outcomes: remembered(control.outcomes, id, data.outcome),
  };
}

/** The newest outcomes, this one last; `fromEntries` takes any id for a key of its own. */
function remembered(outcomes: Control["outcomes"], id: string, outcome: Outcome) {
  const others = Object.entries(outcomes).filter(([other]) => other !== id);
  return Object.fromEntries([...others.slice(1 - OUTCOMES_KEPT), [id, outcome] as const]);
}

/** Logs from before there were versions have none: there each change counts one. */
function withShared(
  control: Control,
  { seq, data }: SessionEventOf<"state_snapshot" | "state_delta">,
  shared: JsonValue,
): Control {
  const shared_version = data.version ?? control.shared_version + 1;
  return { ...advance(control, seq), shared, shared_version };
}

/** A patch that does not fit leaves the state as it was: every reader sees the same. */
function patched(shared: JsonValue, data: EventData<"state_delta">): JsonValue {
  const result = applyJsonPatch(shared, data.patches);
  return result.ok ? result.value : shared;
}

import { foldControl, initialControl } from "./control.ts";
import type { SessionEvent, SessionEventOf } from "../event/event.ts";
import { activityFrom, continuedActivity, idle } from "./activity.ts";
import { emptySurfaces, removeComponent, updateComponent } from "./component.ts";
import { applyDelta, applyThinking, completeMessage } from "./content.ts";
import { continueText } from "./continue-text.ts";
import { DeltaRun } from "./delta-run.ts";
import { FoldBatch } from "./fold-batch.ts";
import {
  addError,
  addNotice,
  compactionNotice,
  updateDiff,
  updatePlan,
  updateTask,
  updateUsage,
} from "./progress.ts";
import { decideTool } from "./tool-policy.ts";
import { openRequest, resolveRequest } from "./request.ts";
import { applyToolInputDelta, applyToolOutput, finishTool, startTool } from "./tool.ts";
import {
  addResult,
  addUserMessage,
  cancelMessage,
  deferMessage,
  endTurn,
  rollBack,
  startTurn,
} from "./turn.ts";
import { isRequest, isResolution } from "../state/request-kind.ts";
import type { Control, SessionState } from "../state/state.ts";

/** The state of a log without events. */
export function initialState(): SessionState {
  return {
    ...initialControl(),
    messages: [],
    activity: idle,
    surfaces: emptySurfaces(),
    tasks: {},
    mcp: {},
    usage: { total_cost_usd: 0 },
    rate_limits: [],
    context: null,
  };
}

/**
 * The next state. An event at or before `state.seq` gives back the same state, so each event
 * counts once; an unknown type only moves `seq`; messages and blocks that an event does not
 * touch stay the same objects.
 */
export function fold(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  const continued = continueText(state, event);
  if (continued) return continued;
  const batch = new FoldBatch(state);
  step(batch, event);
  return stateFrom(batch);
}

/** The state after many events: equal to folding them one by one, for a fraction of the work. */
export function foldAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  const batch = new FoldBatch(state);
  let run: DeltaRun | undefined;
  for (const event of events) {
    if (run?.takes(event)) continue;
    if (run) stepRun(batch, run);
    run = undefined;
    if (startsRun(event) && event.seq > batch.control.seq) run = new DeltaRun(event);
    else step(batch, event);
  }
  if (run) stepRun(batch, run);
  return batch.control === state ? state : stateFrom(batch);
}

function startsRun(event: SessionEvent): event is SessionEventOf<"delta"> {
  return event.type === "delta" && event.data.text !== "";
}

function stepRun(batch: FoldBatch, run: DeltaRun): void {
  step(batch, run.joined());
  batch.control = foldControl(batch.control, run.last);
}

function step(batch: FoldBatch, event: SessionEvent): void {
  const before = batch.control;
  const control = foldControl(before, event);
  if (control === before) return;
  batch.control = control;
  apply(batch, event, before);
}

function apply(batch: FoldBatch, event: SessionEvent, before: Control): void {
  switch (event.type) {
    case "delta":
      return applyDelta(batch, event);
    case "thinking":
      return applyThinking(batch, event);
    case "tool_output":
      return applyToolOutput(batch, event);
    case "tool_input_delta":
      return applyToolInputDelta(batch, event);
    case "message_complete":
      return completeMessage(batch, event);
    case "tool_start":
      return startTool(batch, event);
    case "tool_result":
      return finishTool(batch, event);
    case "policy_decision":
      return decideTool(batch, event);
    case "user_message":
      return addUserMessage(batch, event);
    case "message_deferred":
      return deferMessage(batch, event);
    case "message_cancelled":
      return cancelMessage(batch, event, before);
    case "turn_started":
      return startTurn(batch, event, before);
    case "result":
      return addResult(batch, event);
    case "done":
      return endTurn(batch, event);
    case "rolled_back":
      return rollBack(batch, event);
    case "compacted":
      return addNotice(batch, event, compactionNotice(event.data));
    case "component_update":
      return updateComponent(batch, event);
    case "component_remove":
      return removeComponent(batch, event);
    case "plan":
      return updatePlan(batch, event);
    case "diff":
      return updateDiff(batch, event);
    case "notice":
      return addNotice(batch, event, event.data);
    case "error":
      return addError(batch, event);
    case "usage":
      batch.usage = updateUsage(batch.usage, event.data);
      return;
    case "task":
      batch.tasks = updateTask(batch.tasks, event);
      return;
    case "mcp_status":
      batch.mcp = { ...batch.mcp, [event.data.server_name]: event.data.status };
      return;
    case "rate_limits":
      batch.rateLimits = event.data.limits;
      return;
    case "context_usage":
      batch.context = event.data;
      return;
    case "session_closed":
      batch.isActivityStale = true;
      return;
    case "session_ready":
    case "session_updated":
    case "tool_call_claimed":
    case "permission_granted":
    case "permission_revoked":
    case "component_callback":
    case "catalog_updated":
    case "state_snapshot":
    case "state_delta":
    case "native":
    case "native_line":
      return;
    default:
      if (isRequest(event)) openRequest(batch, event, before);
      else if (isResolution(event)) resolveRequest(batch, event, before);
      else event satisfies never;
  }
}

/** Written out field by field: a spread here would cost more than the rest of a delta. */
function stateFrom(batch: FoldBatch): SessionState {
  const { control, messages, surfaces, tasks, mcp, usage, rateLimits, context } = batch;
  const activity = batch.isActivityStale
    ? activityFrom(control, messages, batch.activity)
    : continuedActivity(control, messages, batch.activity);
  return {
    seq: control.seq,
    session: control.session,
    turn: control.turn,
    last_turn_id: control.last_turn_id,
    queue: control.queue,
    requests: control.requests,
    outcomes: control.outcomes,
    shared: control.shared,
    shared_version: control.shared_version,
    catalog: control.catalog,
    messages,
    activity,
    surfaces,
    tasks,
    mcp,
    usage,
    rate_limits: rateLimits,
    context,
  };
}

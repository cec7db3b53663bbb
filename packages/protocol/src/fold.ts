import { foldControl, initialControl } from "./control.ts";
import type { SessionEvent, SessionEventOf } from "./event.ts";
import { activityFrom, continuedActivity, idle } from "./fold/activity.ts";
import { emptySurfaces, removeComponent, updateComponent } from "./fold/component.ts";
import { applyDelta, applyThinking, completeMessage } from "./fold/content.ts";
import { continueText } from "./fold/continue-text.ts";
import { DeltaRun } from "./fold/delta-run.ts";
import { Draft } from "./fold/draft.ts";
import {
  addError,
  addNotice,
  compactionNotice,
  updateDiff,
  updatePlan,
  updateTask,
  updateUsage,
} from "./fold/progress.ts";
import { openRequest, resolveRequest } from "./fold/request.ts";
import { applyToolInputDelta, applyToolOutput, finishTool, startTool } from "./fold/tool.ts";
import {
  addResult,
  addUserMessage,
  cancelMessage,
  deferMessage,
  endTurn,
  rollBack,
  startTurn,
} from "./fold/turn.ts";
import type { Control, SessionState } from "./state.ts";

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
  };
}

/**
 * The next state. An event at or before `state.seq` gives back the same state, so each event
 * counts once; a type nobody knows only moves `seq`; messages and blocks that an event does not
 * touch stay the same objects.
 */
export function fold(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  const continued = continueText(state, event);
  if (continued) return continued;
  const draft = new Draft(state);
  step(draft, event);
  return stateFrom(draft);
}

/** The state after many events: equal to folding them one by one, for a fraction of the work. */
export function foldAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  const draft = new Draft(state);
  let run: DeltaRun | undefined;
  for (const event of events) {
    if (run?.takes(event)) continue;
    if (run) stepRun(draft, run);
    run = undefined;
    if (startsRun(event) && event.seq > draft.control.seq) run = new DeltaRun(event);
    else step(draft, event);
  }
  if (run) stepRun(draft, run);
  return draft.control === state ? state : stateFrom(draft);
}

function startsRun(event: SessionEvent): event is SessionEventOf<"delta"> {
  return event.type === "delta" && event.data.text !== "";
}

function stepRun(draft: Draft, run: DeltaRun): void {
  step(draft, run.joined());
  draft.control = foldControl(draft.control, run.last);
}

function step(draft: Draft, event: SessionEvent): void {
  const before = draft.control;
  const control = foldControl(before, event);
  if (control === before) return;
  draft.control = control;
  apply(draft, event, before);
}

function apply(draft: Draft, event: SessionEvent, before: Control): void {
  switch (event.type) {
    case "delta":
      return applyDelta(draft, event);
    case "thinking":
      return applyThinking(draft, event);
    case "tool_output":
      return applyToolOutput(draft, event);
    case "tool_input_delta":
      return applyToolInputDelta(draft, event);
    case "message_complete":
      return completeMessage(draft, event);
    case "tool_start":
      return startTool(draft, event);
    case "tool_result":
      return finishTool(draft, event);
    case "user_message":
      return addUserMessage(draft, event);
    case "message_deferred":
      return deferMessage(draft, event);
    case "message_cancelled":
      return cancelMessage(draft, event, before);
    case "turn_started":
      return startTurn(draft, event, before);
    case "result":
      return addResult(draft, event);
    case "done":
      return endTurn(draft, event);
    case "rolled_back":
      return rollBack(draft, event);
    case "compacted":
      return addNotice(draft, event, compactionNotice(event.data));
    case "permission_request":
    case "question_request":
    case "hook_request":
    case "interrupt":
    case "tool_call_request":
      return openRequest(draft, event, before);
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
    case "interrupt_resolved":
    case "tool_call_resolved":
      return resolveRequest(draft, event, before);
    case "component_update":
      return updateComponent(draft, event);
    case "component_remove":
      return removeComponent(draft, event);
    case "plan":
      return updatePlan(draft, event);
    case "diff":
      return updateDiff(draft, event);
    case "notice":
      return addNotice(draft, event, event.data);
    case "error":
      return addError(draft, event);
    case "usage":
      draft.usage = updateUsage(draft.usage, event.data);
      return;
    case "task":
      draft.tasks = updateTask(draft.tasks, event);
      return;
    case "mcp_status":
      draft.mcp = { ...draft.mcp, [event.data.server_name]: event.data.status };
      return;
    case "session_closed":
      draft.isActivityStale = true;
      return;
    case "session_ready":
    case "session_updated":
    case "tool_call_claimed":
    case "component_callback":
    case "state_snapshot":
    case "state_delta":
    case "native":
  }
}

/** Written out field by field: a spread here would cost more than the rest of a delta. */
function stateFrom(draft: Draft): SessionState {
  const { control, messages, surfaces, tasks, mcp, usage } = draft;
  const activity = draft.isActivityStale
    ? activityFrom(control, messages, draft.activity)
    : continuedActivity(control, messages, draft.activity);
  return {
    seq: control.seq,
    session: control.session,
    turn: control.turn,
    last_turn_id: control.last_turn_id,
    queue: control.queue,
    requests: control.requests,
    outcomes: control.outcomes,
    shared: control.shared,
    messages,
    activity,
    surfaces,
    tasks,
    mcp,
    usage,
  };
}

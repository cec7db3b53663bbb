import {
  activityOf,
  type Control,
  type EventType,
  isResolution,
  PROTOCOL_VERSION,
  resolutionTypes,
  type SessionEvent,
  type SessionInfo,
} from "@turnwire/protocol";
import type { DamagedRange, RecordPatch, SessionRecord } from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";

/** Events that come by the hundred within a turn: the record need not know of each. */
const streaming: ReadonlySet<EventType> = new Set<EventType>([
  "delta",
  "thinking",
  "tool_input_delta",
  "tool_output",
  "native",
  "native_line",
]);

/** Whether an event is worth a word to those who only look at the list. */
export function isMilestone(event: SessionEvent): boolean {
  return !streaming.has(event.type);
}

/** A turn was in flight when its server stopped. */
function isLoss(event: SessionEvent): boolean {
  return event.type === "error" && event.data.code === "turn_lost";
}

/** What a server does by itself when a session sleeps, wakes, or is found after a crash. */
function isHousekeeping(event: SessionEvent): boolean {
  switch (event.type) {
    case "session_updated":
      return true;
    case "error":
      return isLoss(event);
    case "permission_revoked":
      return event.data.by === undefined;
    default:
      return isResolution(event) && event.data.outcome === "orphaned";
  }
}

/**
 * When somebody or an agent last did something in a session, as these events tell; undefined when
 * they are only what a server does by itself. The list is ordered by it.
 */
export function activityTime(events: readonly SessionEvent[]): string | undefined {
  const lostTurns = new Set(events.filter(isLoss).map(({ turn_id: turnId }) => turnId));
  return events.findLast(
    (event) =>
      !isHousekeeping(event) &&
      // The end of a turn that was lost comes with the error that says so.
      !(event.type === "done" && lostTurns.has(event.data.turn_id)),
  )?.ts;
}

/** After these a turn may be due, or the agent has nothing left to do. */
const restful: ReadonlySet<EventType> = new Set<EventType>([
  "user_message",
  "message_deferred",
  "message_cancelled",
  "done",
  ...resolutionTypes,
  "session_updated",
  "task",
  "compacted",
]);

export function isRest(event: SessionEvent): boolean {
  return restful.has(event.type);
}

/** What of the record changes with these events; undefined when nothing does. */
export function recordPatch(
  before: Control,
  after: Control,
  events: readonly SessionEvent[],
): RecordPatch | undefined {
  const milestone = events.findLast(isMilestone);
  if (!milestone) return undefined;
  const earlier = before.session;
  const session = after.session;
  const activity = activityOf(after);
  const updatedAt = activityTime(events.filter(isMilestone));
  return {
    ...(updatedAt !== undefined && { updatedAt }),
    ...(session.status !== earlier.status && { status: session.status }),
    ...(activity !== activityOf(before) && { activity }),
    ...(session.title !== earlier.title && { title: session.title ?? null }),
    ...(session.model !== earlier.model && { model: session.model ?? null }),
    ...(session.effort !== earlier.effort && { effort: session.effort ?? null }),
    ...(session.permission_mode !== earlier.permission_mode && {
      permissionMode: session.permission_mode ?? null,
    }),
    ...(session.policy_mode !== earlier.policy_mode && {
      policyMode: session.policy_mode ?? null,
    }),
    ...(session.provider_session_id !== earlier.provider_session_id && {
      providerSessionId: session.provider_session_id ?? null,
    }),
  };
}

/** What is known to be damaged: events, or without a range the record. */
interface Damage {
  readonly range: DamagedRange | undefined;
}

/** A session as lists show it. */
export function infoFromRecord(
  record: SessionRecord,
  runtime: Runtime | undefined,
  damage: Damage | undefined = record.isDamaged ? { range: undefined } : undefined,
): SessionInfo {
  const { providerSessionId, cwd } = record;
  const isShut = record.status === "archived" && runtime?.setArchived !== undefined;
  const resumeCommand =
    providerSessionId === undefined || isShut
      ? undefined
      : runtime?.resumeCommand?.({ providerSessionId, cwd });
  return {
    session_id: record.sessionId,
    protocol_version: PROTOCOL_VERSION,
    runtime: record.runtime,
    status: record.status,
    activity: record.activity,
    ...(record.title !== undefined && { title: record.title }),
    ...(record.model !== undefined && { model: record.model }),
    ...(record.effort !== undefined && { effort: record.effort }),
    ...(record.permissionMode !== undefined && { permission_mode: record.permissionMode }),
    ...(record.policyMode !== undefined && { policy_mode: record.policyMode }),
    cwd: record.cwd,
    ...(record.worktree && { worktree: record.worktree }),
    ...(record.providerSessionId !== undefined && {
      provider_session_id: record.providerSessionId,
    }),
    ...(resumeCommand !== undefined && { resume_command: resumeCommand }),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    head: record.head,
    epoch: record.epoch,
    ...(damage && {
      damage: damage.range ? { first_seq: damage.range.first, last_seq: damage.range.last } : {},
    }),
  };
}

/** The same for a loaded session, whose control is ahead of its record. */
export function infoFromControl(
  record: SessionRecord,
  control: Control,
  runtime: Runtime,
): SessionInfo {
  const { title, model, effort, permission_mode, policy_mode, provider_session_id, status } =
    control.session;
  const { title: _title, model: _model, effort: _effort, policyMode: _mode, ...rest } = record;
  const current = {
    ...rest,
    status,
    activity: activityOf(control),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(permission_mode !== undefined && { permissionMode: permission_mode }),
    ...(policy_mode !== undefined && { policyMode: policy_mode }),
    ...(provider_session_id !== undefined && { providerSessionId: provider_session_id }),
  };
  return infoFromRecord(current, runtime);
}

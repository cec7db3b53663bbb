import { ClientError } from "./client-error.ts";
import { check, checking } from "./connection-check.ts";
import { frozen, offline, online, resumed, visible } from "./connection-hint.ts";
import {
  begin,
  close,
  fail,
  isOpen,
  isOpening,
  openingLimitMs,
  report,
  retry,
  silenceLimitMs,
  silent,
  stay,
  type OpenState,
} from "./connection-move.ts";
import type {
  Batch,
  ConnectionInput,
  ConnectionState,
  Course,
  Moment,
  Open,
  Placed,
  Snapshot,
  Step,
  Verdict,
} from "./connection-state.ts";

/** A connection that held this long was good, even if nothing happened in the session. */
const goodAfterMs = 10_000;

/** Inputs that mean nothing in a state leave it as it is. */
export function step<Event extends Placed>(
  state: ConnectionState,
  input: ConnectionInput<Event>,
  moment: Moment,
): Step<Event> {
  switch (input.type) {
    case "start":
      return start(state);
    case "opened":
      return state.type === "connecting"
        ? opened(state.course, input.verdict, moment)
        : stay(state);
    case "received":
      return isOpen(state) ? received(state, input.batch, moment) : stay(state);
    case "ended":
      return state.type === "connecting" || isOpen(state)
        ? retry(state.course, moment)
        : stay(state);
    case "failed":
      return failed(state, input.error, moment);
    case "snapshot":
      return state.type === "gap" ? replaced(state.course, input.snapshot) : stay(state);
    case "timer":
      return elapsed(state, moment);
    case "online":
      return online(state, moment);
    case "offline":
      return offline(state, moment);
    case "visible":
      return visible(state, moment);
    case "frozen":
      return frozen(state, moment);
    case "resumed":
      return resumed(state, moment);
    case "busy":
      return isOpen(state)
        ? checking({ ...state, heardAt: moment.now }, moment)
        : elapsed(state, moment);
    case "stop":
      return state.type === "closed" ? stay(state) : close(state.course, "stopped");
  }
}

function start(state: ConnectionState): Step<never> {
  const canStart = state.type === "idle" || state.type === "waiting" || state.type === "failed";
  return canStart ? begin(state.course) : stay(state);
}

function opened(course: Course, verdict: Verdict, moment: Moment): Step<never> {
  if (isOtherEpoch(course, verdict)) return gap(course, otherEpoch(course, verdict), moment);
  if (verdict.after !== undefined && verdict.after !== course.after) {
    const message = `The stream starts after ${verdict.after}, asked for was ${course.after}`;
    return retry({ ...course, error: new ClientError("protocol", message) }, moment);
  }
  const epoch = verdict.epoch ?? course.epoch;
  const silenceMs = verdict.hasKeepalive ? silenceLimitMs : Infinity;
  const open: Open = {
    course: epoch === undefined ? course : { ...course, epoch },
    openedAt: moment.now,
    heardAt: moment.now,
    checkAt: moment.now,
    silenceMs,
  };
  const { state, actions } = checking(openState(open, verdict.head), moment);
  return { state, actions: [...actions, report] };
}

function openState(open: Open, head: number | undefined): OpenState {
  const isBehind = head !== undefined && open.course.after < head;
  return isBehind ? { type: "replaying", ...open, head } : { type: "live", ...open };
}

function isOtherEpoch(course: Course, verdict: Verdict): boolean {
  return (
    course.epoch !== undefined && verdict.epoch !== undefined && course.epoch !== verdict.epoch
  );
}

function otherEpoch(course: Course, verdict: Verdict): ClientError {
  const message = `The log's epoch is ${verdict.epoch}, followed was ${course.epoch}`;
  return new ClientError("protocol", message);
}

function received<Event extends Placed>(
  state: OpenState,
  batch: Batch<Event>,
  moment: Moment,
): Step<Event> {
  const { events, jump } = following(state.course.after, batch.events);
  const isGood = events.length > 0 || moment.now - state.openedAt >= goodAfterMs;
  const course = advanced(isGood ? forgiven(state.course) : state.course, events, batch.retryMs);
  if (events.at(-1)?.type === "session_closed") {
    return reporting(close(course, "ended"), { events });
  }
  if (jump !== undefined) {
    const message = `Event ${jump} came after ${course.after}`;
    const error = new ClientError("protocol", message);
    return reporting(retry({ ...course, error }, moment), { events });
  }
  const { openedAt, checkAt, silenceMs } = state;
  const open: Open = { course, openedAt, heardAt: moment.now, checkAt, silenceMs };
  const next = openState(open, state.type === "replaying" ? state.head : undefined);
  const isNews = events.length > 0 || next.type !== state.type;
  return { state: next, actions: isNews ? [{ type: "report", events }] : [] };
}

/** The events that are new, up to a jump: what came before is dropped, what came too early is not taken. */
function following<Event extends Placed>(
  after: number,
  events: readonly Event[],
): { events: readonly Event[]; jump?: number } {
  const taken: Event[] = [];
  let last = after;
  for (const event of events) {
    if (event.seq <= last) continue;
    if (event.seq !== last + 1) return { events: taken, jump: event.seq };
    taken.push(event);
    last = event.seq;
  }
  return { events: taken };
}

function advanced(course: Course, events: readonly Placed[], retryMs: number | undefined): Course {
  const after = events.at(-1)?.seq ?? course.after;
  if (retryMs !== undefined) return { ...course, after, retryMs };
  return after === course.after ? course : { ...course, after };
}

/** A good connection makes up for the failures before it. */
function forgiven({ error: _error, retryMs: _retryMs, ...course }: Course): Course {
  return { ...course, attempt: 0, isSnapshotFresh: false };
}

function reporting<Event extends Placed>(
  next: Step<never>,
  news: { events?: readonly Event[]; snapshot?: Snapshot },
): Step<Event> {
  const actions = next.actions.map((action) =>
    action.type === "report" ? { ...action, ...news } : action,
  );
  return { state: next.state, actions };
}

function failed(state: ConnectionState, error: ClientError, moment: Moment): Step<never> {
  if (!isOpening(state) && !isOpen(state)) return stay(state);
  const { course } = state;
  if (error.status === 412 && state.type !== "gap") return gap(course, error, moment);
  if (isFinal(error)) return fail(course, error);
  return retry({ ...course, error }, moment, error.retryAfterMs);
}

const passingStatuses: ReadonlySet<number> = new Set([408, 412, 425, 429]);

function isFinal({ status }: ClientError): boolean {
  return status !== undefined && status >= 400 && status < 500 && !passingStatuses.has(status);
}

/** The log cannot be followed from here: a snapshot stands for what is gone. */
function gap(course: Course, error: ClientError, moment: Moment): Step<never> {
  if (course.onGap === "fail") return fail(course, error);
  const next: Course = { ...course, needsSnapshot: true, error };
  return course.isSnapshotFresh ? retry(next, moment) : begin(next);
}

function replaced(course: Course, snapshot: Snapshot): Step<never> {
  const { seq, epoch, state } = snapshot;
  const next: Course = {
    ...course,
    after: seq,
    epoch,
    needsSnapshot: false,
    isSnapshotFresh: true,
  };
  const after = state.session.is_closed ? close(next, "ended") : begin(next);
  return reporting(after, { snapshot });
}

function elapsed(state: ConnectionState, moment: Moment): Step<never> {
  switch (state.type) {
    case "waiting":
      return begin(state.course);
    case "replaying":
    case "live":
      return check(state, moment);
    case "connecting":
      return silent(state.course, moment, openingLimitMs);
    case "gap":
      return silent(state.course, moment, silenceLimitMs);
    case "idle":
    case "closed":
    case "failed":
      return stay(state);
  }
}

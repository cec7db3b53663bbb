import { backoffMs, longestBackoffMs } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import type {
  Batch,
  ConnectionAction,
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

/** Keepalives come every 15 s: three missed ones are a dead line. */
const silenceLimitMs = 45_000;
/**
 * How long a verdict may take. Node's fetch never settles now and then when its connection is closed
 * as soon as it is made (seen with undici 6.24.1), as by a proxy whose server is down.
 */
const openingLimitMs = 15_000;
/** A page that comes back, or a machine that slept, does not wait for the third. */
const staleMs = 20_000;
/** How often an open line is looked at: timers stop while a machine sleeps, so a long one would come late. */
export const checkEveryMs = 9_000;
/** A timer that is this late was asleep. */
const sleptMs = 5_000;
/** A connection that held this long was good, even if nothing happened in the session. */
const goodAfterMs = 10_000;

const cancel: ConnectionAction<never> = { type: "cancel" };
const report: ConnectionAction<never> = { type: "report", events: [] };

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

function stay(state: ConnectionState): Step<never> {
  return { state, actions: [] };
}

type OpenState = Extract<ConnectionState, { type: "replaying" | "live" }>;
type OpeningState = Extract<ConnectionState, { type: "connecting" | "gap" }>;

function isOpen(state: ConnectionState): state is OpenState {
  return state.type === "replaying" || state.type === "live";
}

function isOpening(state: ConnectionState): state is OpeningState {
  return state.type === "connecting" || state.type === "gap";
}

function start(state: ConnectionState): Step<never> {
  const canStart = state.type === "idle" || state.type === "waiting" || state.type === "failed";
  return canStart ? begin(state.course) : stay(state);
}

function begin(course: Course): Step<never> {
  if (course.needsSnapshot) {
    const wait: ConnectionAction<never> = { type: "wait", ms: silenceLimitMs };
    return {
      state: { type: "gap", course },
      actions: [cancel, { type: "take_snapshot" }, wait, report],
    };
  }
  const wait: ConnectionAction<never> = { type: "wait", ms: openingLimitMs };
  const { after, epoch } = course;
  const open: ConnectionAction<never> = {
    type: "open",
    after,
    ...(epoch !== undefined && { epoch }),
  };
  return { state: { type: "connecting", course }, actions: [cancel, open, wait, report] };
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

/** Looks at an open line: alive as far as we know, asleep with the machine, or dead. */
function check(state: OpenState, moment: Moment): Step<never> {
  const quietMs = moment.now - state.heardAt;
  const hasSlept = moment.now - state.checkAt >= sleptMs;
  if (hasSlept && isStale(state, moment.now)) return begin(state.course);
  return quietMs >= state.silenceMs
    ? silent(state.course, moment, silenceLimitMs)
    : checking(state, moment);
}

/** Plans the next look at the line. */
function checking(state: OpenState, { now }: Moment): Step<never> {
  const ms =
    state.silenceMs === Infinity
      ? Infinity
      : Math.min(checkEveryMs, state.heardAt + state.silenceMs - now);
  return { state: { ...state, checkAt: now + ms }, actions: [{ type: "wait", ms }] };
}

function silent(course: Course, moment: Moment, ms: number): Step<never> {
  const message = `Nothing came for ${ms} ms`;
  return retry({ ...course, error: new ClientError("timeout", message) }, moment);
}

/** A change of network leaves dead lines behind that nothing else tells of. */
function online(state: ConnectionState, { now }: Moment): Step<never> {
  const course: Course = { ...state.course, isOffline: false };
  const isSuspect = state.course.isOffline && (isOpening(state) || isOpen(state));
  return isSuspect || mayHurry(state, now) ? begin(course) : stay({ ...state, course });
}

/** A server on this machine stays reachable without a network, so being offline only slows retries. */
function offline(state: ConnectionState, { now }: Moment): Step<never> {
  const course: Course = { ...state.course, isOffline: true };
  if (state.type !== "waiting") return stay({ ...state, course });
  const atLeastMs = Math.max(0, state.notBefore - now);
  return waiting(course, now, { ms: Math.max(longestBackoffMs, atLeastMs), atLeastMs });
}

function visible(state: ConnectionState, { now }: Moment): Step<never> {
  const isSuspect = isOpen(state) && isStale(state, now);
  return isSuspect || mayHurry(state, now) ? begin(state.course) : stay(state);
}

function isStale({ silenceMs, heardAt }: Open, now: number): boolean {
  return silenceMs !== Infinity && now - heardAt > staleMs;
}

/** Lets go of the line before the browser does: a page without one can be kept and shown again at once. */
function frozen(state: ConnectionState, { now }: Moment): Step<never> {
  const { course } = state;
  if (isOpening(state) || isOpen(state))
    return waiting(course, now, { ms: Infinity, atLeastMs: 0 });
  if (state.type !== "waiting") return stay(state);
  const atLeastMs = Math.max(0, state.notBefore - now);
  return waiting(course, now, { ms: Infinity, atLeastMs });
}

/** Whatever was open when the page froze is dead, though nothing says so. */
function resumed(state: ConnectionState, { now }: Moment): Step<never> {
  if (isOpening(state) || isOpen(state) || mayHurry(state, now)) return begin(state.course);
  if (state.type !== "waiting") return stay(state);
  const ms = state.notBefore - now;
  return waiting(state.course, now, { ms, atLeastMs: ms });
}

function mayHurry(state: ConnectionState, now: number): boolean {
  return state.type === "waiting" && now >= state.notBefore;
}

function retry(course: Course, moment: Moment, retryAfterMs?: number): Step<never> {
  const attempt = course.attempt + 1;
  const atLeastMs = retryAfterMs ?? course.retryMs ?? 0;
  const ms = course.isOffline
    ? Math.max(longestBackoffMs, atLeastMs)
    : backoffMs({ attempt, random: moment.random, atLeastMs });
  return waiting({ ...course, attempt }, moment.now, { ms, atLeastMs });
}

function waiting(
  course: Course,
  now: number,
  wait: { ms: number; atLeastMs: number },
): Step<never> {
  const { ms, atLeastMs } = wait;
  return {
    state: { type: "waiting", course, retryAt: now + ms, notBefore: now + atLeastMs },
    actions: [cancel, { type: "wait", ms }, report],
  };
}

function fail(course: Course, error: ClientError): Step<never> {
  return { state: { type: "failed", course, error }, actions: [cancel, report] };
}

function close(course: Course, reason: "stopped" | "ended"): Step<never> {
  return { state: { type: "closed", course, reason }, actions: [cancel, report] };
}

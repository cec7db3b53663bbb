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
  FollowContext,
  StepInput,
  Open,
  Sequenced,
  Snapshot,
  Step,
  StreamVerdict,
} from "./connection-state.ts";

/** A connection that held this long was good, even if nothing happened in the session. */
const goodAfterMs = 10_000;

/** Inputs that mean nothing in a state leave it as it is. */
export function step<Event extends Sequenced>(
  state: ConnectionState,
  input: ConnectionInput<Event>,
  at: StepInput,
): Step<Event> {
  switch (input.type) {
    case "start":
      return start(state);
    case "opened":
      return state.type === "connecting" ? opened(state.context, input.verdict, at) : stay(state);
    case "received":
      return isOpen(state) ? received(state, input.batch, at) : stay(state);
    case "ended":
      return state.type === "connecting" || isOpen(state) ? retry(state.context, at) : stay(state);
    case "failed":
      return failed(state, input.error, at);
    case "snapshot":
      return state.type === "gap" ? replaced(state.context, input.snapshot) : stay(state);
    case "timer":
      return elapsed(state, at);
    case "online":
      return online(state, at);
    case "offline":
      return offline(state, at);
    case "visible":
      return visible(state, at);
    case "frozen":
      return frozen(state, at);
    case "resumed":
      return resumed(state, at);
    case "busy":
      return isOpen(state) ? checking({ ...state, heardAt: at.now }, at) : elapsed(state, at);
    case "stop":
      return state.type === "closed" ? stay(state) : close(state.context, "stopped");
  }
}

function start(state: ConnectionState): Step<never> {
  const canStart = state.type === "idle" || state.type === "waiting" || state.type === "failed";
  return canStart ? begin(state.context) : stay(state);
}

function opened(context: FollowContext, verdict: StreamVerdict, at: StepInput): Step<never> {
  if (isOtherEpoch(context, verdict)) return gap(context, otherEpoch(context, verdict), at);
  if (verdict.after !== undefined && verdict.after !== context.after) {
    const message = `The stream starts after ${verdict.after}, asked for was ${context.after}`;
    return retry({ ...context, error: new ClientError("protocol", message) }, at);
  }
  const epoch = verdict.epoch ?? context.epoch;
  const silenceMs = verdict.hasKeepalive ? silenceLimitMs : Infinity;
  const open: Open = {
    context: epoch === undefined ? context : { ...context, epoch },
    openedAt: at.now,
    heardAt: at.now,
    checkAt: at.now,
    silenceMs,
  };
  const { state, actions } = checking(openState(open, verdict.head), at);
  return { state, actions: [...actions, report] };
}

function openState(open: Open, head: number | undefined): OpenState {
  const isBehind = head !== undefined && open.context.after < head;
  return isBehind ? { type: "replaying", ...open, head } : { type: "live", ...open };
}

function isOtherEpoch(context: FollowContext, verdict: StreamVerdict): boolean {
  return (
    context.epoch !== undefined && verdict.epoch !== undefined && context.epoch !== verdict.epoch
  );
}

function otherEpoch(context: FollowContext, verdict: StreamVerdict): ClientError {
  const message = `The log's epoch is ${verdict.epoch}, followed was ${context.epoch}`;
  return new ClientError("protocol", message);
}

function received<Event extends Sequenced>(
  state: OpenState,
  batch: Batch<Event>,
  at: StepInput,
): Step<Event> {
  const { events, jump } = following(state.context.after, batch.events);
  const isGood = events.length > 0 || at.now - state.openedAt >= goodAfterMs;
  const context = advanced(isGood ? forgiven(state.context) : state.context, events, batch.retryMs);
  if (events.at(-1)?.type === "session_closed") {
    return reporting(close(context, "ended"), { events });
  }
  if (jump !== undefined) {
    const message = `Event ${jump} came after ${context.after}`;
    const error = new ClientError("protocol", message);
    return reporting(retry({ ...context, error }, at), { events });
  }
  const { openedAt, checkAt, silenceMs } = state;
  const open: Open = { context, openedAt, heardAt: at.now, checkAt, silenceMs };
  const next = openState(open, state.type === "replaying" ? state.head : undefined);
  const isNews = events.length > 0 || next.type !== state.type;
  return { state: next, actions: isNews ? [{ type: "report", events }] : [] };
}

/** The events that are new, up to a jump: what came before is dropped, what came too early is not taken. */
function following<Event extends Sequenced>(
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

function advanced(
  context: FollowContext,
  events: readonly Sequenced[],
  retryMs: number | undefined,
): FollowContext {
  const after = events.at(-1)?.seq ?? context.after;
  if (retryMs !== undefined) return { ...context, after, retryMs };
  return after === context.after ? context : { ...context, after };
}

/** A good connection makes up for the failures before it. */
function forgiven({ error: _error, retryMs: _retryMs, ...context }: FollowContext): FollowContext {
  return { ...context, attempt: 0, isSnapshotFresh: false };
}

function reporting<Event extends Sequenced>(
  next: Step<never>,
  news: { events?: readonly Event[]; snapshot?: Snapshot },
): Step<Event> {
  const actions = next.actions.map((action) =>
    action.type === "report" ? { ...action, ...news } : action,
  );
  return { state: next.state, actions };
}

function failed(state: ConnectionState, error: ClientError, at: StepInput): Step<never> {
  if (!isOpening(state) && !isOpen(state)) return stay(state);
  const { context } = state;
  if (error.status === 412 && state.type !== "gap") return gap(context, error, at);
  if (isFinal(error)) return fail(context, error);
  return retry({ ...context, error }, at, error.retryAfterMs);
}

const passingStatuses: ReadonlySet<number> = new Set([408, 412, 425, 429]);

function isFinal({ status }: ClientError): boolean {
  return status !== undefined && status >= 400 && status < 500 && !passingStatuses.has(status);
}

/** The log cannot be followed from here: a snapshot covers what is gone. */
function gap(context: FollowContext, error: ClientError, at: StepInput): Step<never> {
  if (context.onGap === "fail") return fail(context, error);
  const next: FollowContext = { ...context, needsSnapshot: true, error };
  return context.isSnapshotFresh ? retry(next, at) : begin(next);
}

function replaced(context: FollowContext, snapshot: Snapshot): Step<never> {
  const { seq, epoch, state } = snapshot;
  const next: FollowContext = {
    ...context,
    after: seq,
    epoch,
    needsSnapshot: false,
    isSnapshotFresh: true,
  };
  const after = state.session.is_closed ? close(next, "ended") : begin(next);
  return reporting(after, { snapshot });
}

function elapsed(state: ConnectionState, at: StepInput): Step<never> {
  switch (state.type) {
    case "waiting":
      return begin(state.context);
    case "replaying":
    case "live":
      return check(state, at);
    case "connecting":
      return silent(state.context, at, openingLimitMs);
    case "gap":
      return silent(state.context, at, silenceLimitMs);
    case "idle":
    case "closed":
    case "failed":
      return stay(state);
  }
}

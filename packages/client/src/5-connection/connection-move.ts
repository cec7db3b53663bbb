import { backoffMs, longestBackoffMs } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import type {
  ConnectionAction,
  ConnectionState,
  FollowContext,
  StepInput,
  Step,
} from "./connection-state.ts";

/** Keepalives come every 15 s: three missed ones are a dead line. */
export const silenceLimitMs = 45_000;
/**
 * How long a verdict may take. Node's fetch never settles now and then when its connection is closed
 * as soon as it is made (seen with undici 6.24.1), as by a proxy whose server is down.
 */
export const openingLimitMs = 15_000;

const cancel: ConnectionAction<never> = { type: "cancel" };
export const report: ConnectionAction<never> = { type: "report", events: [] };

/** A stream is there. */
export type OpenState = Extract<ConnectionState, { type: "replaying" | "live" }>;
type OpeningState = Extract<ConnectionState, { type: "connecting" | "gap" }>;

/** The input means nothing here. */
export function stay(state: ConnectionState): Step<never> {
  return { state, actions: [] };
}

/** Whether a stream brings events. */
export function isOpen(state: ConnectionState): state is OpenState {
  return state.type === "replaying" || state.type === "live";
}

/** Whether a stream or a snapshot is on its way. */
export function isOpening(state: ConnectionState): state is OpeningState {
  return state.type === "connecting" || state.type === "gap";
}

/** Opens a new connection, in place of whatever is there. */
export function begin(context: FollowContext): Step<never> {
  if (context.needsSnapshot) {
    const wait: ConnectionAction<never> = { type: "wait", ms: silenceLimitMs };
    return {
      state: { type: "gap", context },
      actions: [cancel, { type: "take_snapshot" }, wait, report],
    };
  }
  const wait: ConnectionAction<never> = { type: "wait", ms: openingLimitMs };
  const { after, epoch } = context;
  const open: ConnectionAction<never> = {
    type: "open",
    after,
    ...(epoch !== undefined && { epoch }),
  };
  return { state: { type: "connecting", context }, actions: [cancel, open, wait, report] };
}

/** Waits as the failures so far and the server ask for, then tries again. */
export function retry(context: FollowContext, at: StepInput, retryAfterMs?: number): Step<never> {
  const attempt = context.attempt + 1;
  const atLeastMs = retryAfterMs ?? context.retryMs ?? 0;
  const ms = context.isOffline
    ? Math.max(longestBackoffMs, atLeastMs)
    : backoffMs({ attempt, random: at.random, atLeastMs });
  return waiting({ ...context, attempt }, at.now, { ms, atLeastMs });
}

/** Closes the connection for so long. */
export function waiting(
  context: FollowContext,
  now: number,
  wait: { ms: number; atLeastMs: number },
): Step<never> {
  const { ms, atLeastMs } = wait;
  return {
    state: { type: "waiting", context, retryAt: now + ms, notBefore: now + atLeastMs },
    actions: [cancel, { type: "wait", ms }, report],
  };
}

/** Gives up: only a new start helps. */
export function fail(context: FollowContext, error: ClientError): Step<never> {
  return { state: { type: "failed", context, error }, actions: [cancel, report] };
}

/** Ends for good. */
export function close(context: FollowContext, reason: "stopped" | "ended"): Step<never> {
  return { state: { type: "closed", context, reason }, actions: [cancel, report] };
}

/** Nothing came for too long: the connection is dead. */
export function silent(context: FollowContext, at: StepInput, ms: number): Step<never> {
  const message = `Nothing came for ${ms} ms`;
  return retry({ ...context, error: new ClientError("timeout", message) }, at);
}

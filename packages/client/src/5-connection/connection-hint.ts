import { longestBackoffMs } from "./backoff.ts";
import { isStale } from "./connection-check.ts";
import { begin, isOpen, isOpening, stay, waiting } from "./connection-move.ts";
import type { ConnectionState, FollowContext, StepInput, Step } from "./connection-state.ts";

/** A change of network leaves dead connections behind that nothing else reports. */
export function online(state: ConnectionState, { now }: StepInput): Step<never> {
  const context: FollowContext = { ...state.context, isOffline: false };
  const isSuspect = state.context.isOffline && (isOpening(state) || isOpen(state));
  return isSuspect || mayHurry(state, now) ? begin(context) : stay({ ...state, context });
}

/** A server on this machine stays reachable without a network, so being offline only slows retries. */
export function offline(state: ConnectionState, { now }: StepInput): Step<never> {
  const context: FollowContext = { ...state.context, isOffline: true };
  if (state.type !== "waiting") return stay({ ...state, context });
  const atLeastMs = Math.max(0, state.notBefore - now);
  return waiting(context, now, { ms: Math.max(longestBackoffMs, atLeastMs), atLeastMs });
}

/** A page that comes to the front looks at its line. */
export function visible(state: ConnectionState, { now }: StepInput): Step<never> {
  const isSuspect = isOpen(state) && isStale(state, now);
  return isSuspect || mayHurry(state, now) ? begin(state.context) : stay(state);
}

/** Closes the connection before the browser does: a page without one can be kept and shown again at once. */
export function frozen(state: ConnectionState, { now }: StepInput): Step<never> {
  const { context } = state;
  if (isOpening(state) || isOpen(state))
    return waiting(context, now, { ms: Infinity, atLeastMs: 0 });
  if (state.type !== "waiting") return stay(state);
  const atLeastMs = Math.max(0, state.notBefore - now);
  return waiting(context, now, { ms: Infinity, atLeastMs });
}

/** A connection that was open when the page froze is dead, though nothing reports it. */
export function resumed(state: ConnectionState, { now }: StepInput): Step<never> {
  if (isOpening(state) || isOpen(state) || mayHurry(state, now)) return begin(state.context);
  if (state.type !== "waiting") return stay(state);
  const ms = state.notBefore - now;
  return waiting(state.context, now, { ms, atLeastMs: ms });
}

function mayHurry(state: ConnectionState, now: number): boolean {
  return state.type === "waiting" && now >= state.notBefore;
}

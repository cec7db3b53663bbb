import type { StepInput, Open, Step } from "./connection-state.ts";
import { begin, silenceLimitMs, silent, type OpenState } from "./connection-move.ts";

/** A page that comes back, or a machine that slept, does not wait for the third. */
const staleMs = 20_000;
/** How often an open line is looked at: timers stop while a machine sleeps, so a long one would come late. */
const checkEveryMs = 9_000;
/** A timer that is this late was asleep. */
const sleptMs = 5_000;

/** Looks at an open line: alive as far as we know, asleep with the machine, or dead. */
export function check(state: OpenState, at: StepInput): Step<never> {
  const quietMs = at.now - state.heardAt;
  const hasSlept = at.now - state.checkAt >= sleptMs;
  if (hasSlept && isStale(state, at.now)) return begin(state.context);
  return quietMs >= state.silenceMs
    ? silent(state.context, at, silenceLimitMs)
    : checking(state, at);
}

/** Plans the next check of the connection. */
export function checking(state: OpenState, { now }: StepInput): Step<never> {
  const ms =
    state.silenceMs === Infinity
      ? Infinity
      : Math.min(checkEveryMs, state.heardAt + state.silenceMs - now);
  return { state: { ...state, checkAt: now + ms }, actions: [{ type: "wait", ms }] };
}

/** So quiet that it is worth asking whether it lives. */
export function isStale({ silenceMs, heardAt }: Open, now: number): boolean {
  return silenceMs !== Infinity && now - heardAt > staleMs;
}

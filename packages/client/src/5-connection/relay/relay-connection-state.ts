/**
 * A front end's connection to a relay. `attempt` counts failures in a row, from the last
 * connection that brought a line.
 */
export type RelayConnectionState =
  | { readonly type: "connecting"; readonly attempt: number }
  | { readonly type: "open"; readonly attempt: number }
  | { readonly type: "waiting"; readonly attempt: number; readonly delayMs: number }
  /** lost: it will not be tried again. */
  | { readonly type: "closed"; readonly reason: "lost" | "stopped" };

export type RelayConnectionInput =
  | { readonly type: "opened" }
  | { readonly type: "heard" }
  | { readonly type: "ended" }
  | { readonly type: "waited" }
  | { readonly type: "stop" };

export interface RelayConnectionRule {
  /** It was opened to see whether a relay is there: when it ends, the next probe opens another. */
  readonly isSilent: boolean;
  /** From 0 up to, without, 1. */
  readonly random: number;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
const MAX_ATTEMPTS = 10;

/** Inputs that mean nothing in a state leave it as it is. */
export function relayConnectionStep(
  state: RelayConnectionState,
  input: RelayConnectionInput,
  rule: RelayConnectionRule,
): RelayConnectionState {
  if (state.type === "closed") return state;
  switch (input.type) {
    case "opened":
      return state.type === "connecting" ? { type: "open", attempt: state.attempt } : state;
    case "heard":
      return state.type === "open" && state.attempt > 0 ? { type: "open", attempt: 0 } : state;
    case "ended":
      return state.type === "waiting" ? state : afterEnd(state.attempt + 1, rule);
    case "waited":
      return state.type === "waiting" ? { type: "connecting", attempt: state.attempt } : state;
    case "stop":
      return { type: "closed", reason: "stopped" };
  }
}

function afterEnd(attempt: number, { isSilent, random }: RelayConnectionRule) {
  if (isSilent || attempt > MAX_ATTEMPTS) return { type: "closed", reason: "lost" } as const;
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  // Half of it is jitter: front ends that lost the same relay do not come back at once.
  return { type: "waiting", attempt, delayMs: Math.floor(ceiling * (0.5 + random / 2)) } as const;
}

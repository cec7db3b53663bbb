import { draft, type RateLimit } from "@turnwire/protocol";
import { withEntry } from "@turnwire/runtime";
import type { CodexMessageOf } from "../protocol/message.ts";
import type { CodexState, Step } from "./state.ts";

type Snapshot = CodexMessageOf<"account/rateLimits/updated">["params"]["rateLimits"];
type Window = NonNullable<Snapshot["primary"]>;

const minute = 60 * 1000;

/** Codex repeats the limits with every answer of the model, and leaves out what it does not know (fixture `rate-limits`). */
export function takeRateLimits(
  state: CodexState,
  { params }: CodexMessageOf<"account/rateLimits/updated">,
): Step {
  const { primary, secondary, limitId, limitName } = params.rateLimits;
  const id = limitId ?? "codex";
  const reported = Object.entries({ primary, secondary }).flatMap(([name, window]) =>
    window ? [limitFrom(window, { id: `${id}.${name}`, model: limitName })] : [],
  );
  const known = reported.reduce(
    (limits, limit) => withEntry(limits, limit.limit_id, limit),
    state.rateLimits,
  );
  const isNew = reported.some((limit) => {
    const earlier = state.rateLimits.get(limit.limit_id);
    return JSON.stringify(earlier) !== JSON.stringify(limit);
  });
  if (!isNew) return [state, []];
  return [{ ...state, rateLimits: known }, [draft("rate_limits", { limits: [...known.values()] })]];
}

function limitFrom(
  { usedPercent, resetsAt, windowDurationMins }: Window,
  { id, model }: { id: string; model: string | null | undefined },
): RateLimit {
  const span = windowDurationMins ? `${spanOf(windowDurationMins * minute)} limit` : "Limit";
  return {
    limit_id: id,
    label: model ? `${span} of ${model}` : span,
    status: usedPercent >= 100 ? "reached" : "allowed",
    used_percent: usedPercent,
    ...(typeof resetsAt === "number" && { resets_at: new Date(resetsAt * 1000).toISOString() }),
  };
}

function spanOf(ms: number): string {
  const hours = Math.round(ms / (60 * minute));
  return hours % 24 === 0 && hours > 24 ? `${hours / 24}-day` : `${hours}-hour`;
}

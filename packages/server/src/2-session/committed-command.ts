import { accepted, rejected, type Result } from "@turnwire/protocol";
import type { EffectDispatch } from "./watch/effect-dispatch.ts";
import type { Pending } from "./intake.ts";
import type { Accepted } from "@turnwire/wire";
import { notLive } from "./decide/session-refusal.ts";

interface CommitContext {
  readonly dispatch: EffectDispatch;
  /** Whether the session still takes commands. */
  readonly isActive: () => boolean;
}

/** Waits until the store has what was decided, then lets its effects happen. */
export async function whenCommitted(
  pending: Result<Pending>,
  { dispatch, isActive }: CommitContext,
): Promise<Result<Accepted>> {
  if (!pending.ok) return pending;
  const { committed, effects, ...value } = pending.value;
  try {
    await committed;
  } catch {
    // What the store said is reported where the session breaks by it.
    if (!isActive()) return notLive();
    return rejected("store_unavailable", "The command could not be stored: try again.");
  }
  dispatch.afterAnswer(effects);
  return accepted(value);
}

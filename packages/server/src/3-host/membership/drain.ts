import { type Clock, detach } from "@turnwire/base";
import type { Store } from "@turnwire/log";
import type { LoadedSessions } from "../loaded/loaded-sessions.ts";

/** How often a host that drains looks whether turns have ended. */
const lookMs = 100;

export interface DrainOptions {
  /** How long running turns have. */
  readonly limitMs: number;
}

export interface DrainContext extends DrainOptions {
  readonly sessions: LoadedSessions;
  readonly clock: Clock;
  /** Whether it is shared: then another host can continue what this one lets go of. */
  readonly store: Pick<Store, "isShared">;
  readonly onError: (error: unknown) => void;
}

/**
 * Resolves when no turn runs here any more, or the limit is reached. Where another host can continue
 * them, sessions are given back as soon as nothing runs in them; else they can be read until the end.
 */
export async function drainSessions(context: DrainContext): Promise<void> {
  const { sessions, clock, limitMs, store, onError } = context;
  const isDone = (): boolean => {
    if (!store.isShared) return !sessions.live().some((session) => session.wouldLoseWork);
    for (const session of sessions.live()) {
      if (!session.wouldLoseWork) detach(session.end({ type: "release" }), onError);
    }
    return sessions.isEmpty;
  };
  for (let left = limitMs; left > 0 && !isDone(); left -= lookMs) {
    await clock.wait(Math.min(lookMs, left));
  }
}

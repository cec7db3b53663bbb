import { type Clock, detach, startTimer } from "@turnwire/base";
import type { Session } from "./session.ts";

export interface LeaseRenewalOptions {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly sessions: () => Iterable<Session>;
  readonly onError: (error: unknown) => void;
}

/** Renews the leases of all sessions until it is cancelled; a session whose lease is lost is abandoned. */
export function renewLeases(options: LeaseRenewalOptions): () => void {
  const { clock, ttlMs, sessions, onError } = options;
  let cancel = (): void => undefined;
  const plan = (): void => {
    cancel = startTimer(clock, ttlMs / 3, () => {
      for (const session of sessions()) detach(renew(session, ttlMs), onError);
      plan();
    });
  };
  plan();
  return () => cancel();
}

async function renew(session: Session, ttlMs: number): Promise<void> {
  if (!(await session.renewLease(ttlMs))) await session.end({ type: "abandon" });
}

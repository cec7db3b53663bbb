import { draft } from "@turnwire/protocol";
import { StoreError } from "@turnwire/log";
import { resolveOwn } from "./decide/resolve.ts";
import type { LostCause } from "./decide/settle.ts";
import type { SessionParts } from "./session-parts.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";

/** How a session's time in this process ends. */
export type SessionEnd =
  /** Another process, or a later load, takes over; `cause` settles a turn in flight. */
  | { readonly type: "release"; readonly cause?: LostCause }
  /** For good: the log is closed, then removed. */
  | { readonly type: "delete"; readonly by: string }
  /** The store refused us: the in-memory state no longer matches it. */
  | { readonly type: "abandon" };

/** What a turn of a server that stops ends with. */
export const serverStopped: LostCause = {
  code: "turn_lost",
  message: "The server was stopped while the turn ran; it was not run again.",
};

export interface EndingSession {
  readonly loaded: Pick<LoadedSession, "lease" | "log">;
  readonly settings: Pick<SessionSettings, "store" | "onLeaseLeft">;
  readonly parts: Pick<SessionParts, "agent" | "dispatch" | "recorder" | "retention" | "trace">;
}

/**
 * The order of every end: the agent goes, its last events are written, the log ends, and only then
 * the lease is given back. Whatever fails on the way, readers learn that the log has ended.
 */
export async function finishSession(how: SessionEnd, session: EndingSession): Promise<void> {
  const { agent, dispatch, recorder, retention, trace } = session.parts;
  const { lease, log } = session.loaded;
  const { store, onLeaseLeft } = session.settings;
  const { sessionId } = lease.record;
  try {
    switch (how.type) {
      case "abandon": {
        // Nothing more is taken from here on: the store would refuse it.
        const closed = recorder.close();
        log.end("released");
        await agent.shut();
        await closed;
        // Where another host has it, nothing is left to give back.
        const released = store.releaseLease(sessionId, lease.generation);
        return await released.catch(() => onLeaseLeft(sessionId));
      }
      case "release":
        // What a guest has begun continues without us.
        if (how.cause && !agent.isGuest) agent.settle(how.cause);
        if (agent.isAttached && !agent.isGuest)
          recorder.record([draft("session_updated", { status: "hibernated" })]);
        await agent.shut();
        // A message that was accepted to steer and finds no agent any more is deferred by this.
        await dispatch.delivered;
        await recorder.close();
        await retention.stop();
        log.end("released");
        return await store.releaseLease(sessionId, lease.generation);
      case "delete": {
        const message = "The session was deleted.";
        await agent.shut({ code: "turn_lost", message, isStopped: true, isDeletion: true });
        const closed = draft("session_closed", { reason: "deleted", by: how.by });
        const waiting = resolveOwn(recorder.control);
        await recorder.record([...waiting, closed]).committed;
        await recorder.close();
        await retention.stop();
        log.end("closed");
        return await store.deleteSession(sessionId, lease.generation);
      }
    }
  } catch (error) {
    // Whether the lease was given back is not known, and no other host can take what this one may still hold.
    if (error instanceof StoreError && error.code === "unavailable") onLeaseLeft(sessionId);
    throw error;
  } finally {
    await recorder.close();
    await retention.stop();
    log.end("released");
    trace.end();
  }
}

import { draft } from "@turnwire/protocol";
import type { SessionRecord, Store } from "@turnwire/log";
import type { Recorder } from "../record/recorder.ts";
import type { SessionAgent } from "./session-agent.ts";

const pageSize = 200;

/** What a process that died may have left: half-made copies, turns, requests and waiting messages, or an agent that is gone. */
const leftBehind = [
  { isPartial: true },
  { activity: "working" },
  { activity: "waiting" },
  { status: "live" },
] as const;

/** The sessions that may need settling after a crash. */
async function* unsettledSessions(store: Store): AsyncGenerator<SessionRecord> {
  const seen = new Set<string>();
  for (const filter of leftBehind) {
    // Listed before any is settled: settling changes the order of the list.
    const records: SessionRecord[] = [];
    let page: SessionRecord[];
    do {
      const after = records.at(-1);
      page = await store.listSessions({
        ...filter,
        limit: pageSize,
        ...(after !== undefined && { after }),
      });
      records.push(...page);
    } while (page.length === pageSize);
    for (const record of records) {
      if (!seen.has(record.sessionId)) yield record;
      seen.add(record.sessionId);
    }
  }
}

export interface RecoveryPorts {
  readonly isEnding: () => boolean;
  readonly load: (sessionId: string) => Promise<unknown>;
  /** Removes a session of which only a part was copied. */
  readonly discard: (sessionId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Settles what a dead process left open in any session; on a shared store, that is taken as soon as its host does not live any more. */
export async function recoverSessions(store: Store, ports: RecoveryPorts): Promise<void> {
  if (store.isShared) return;
  for await (const { sessionId, isPartial } of unsettledSessions(store)) {
    if (ports.isEnding()) return;
    try {
      await (isPartial === true ? ports.discard(sessionId) : ports.load(sessionId));
    } catch (error) {
      // One that cannot be loaded must not keep the others waiting.
      ports.onError(error);
    }
  }
}

/** Settles what an earlier process left of a session's agent. A guest may still be at work: it gets the time to come back. */
export function recoverAgent(
  agent: SessionAgent,
  recorder: Recorder,
  store: Pick<Store, "isShared">,
): void {
  const { turn, session, seq } = recorder.control;
  if (agent.isGuest && turn) {
    agent.awaitReturn();
    return;
  }
  agent.settle({
    code: "turn_lost",
    message: store.isShared
      ? "The host on which the turn ran stopped or lost the store; the turn was not run again."
      : "The server stopped while the turn ran; it was not run again.",
  });
  // The first event alone: it never had an agent.
  if (session.status === "live" && seq > 1) {
    recorder.record([draft("session_updated", { status: "hibernated" })]);
  }
}

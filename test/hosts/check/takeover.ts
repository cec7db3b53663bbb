import type { SessionEvent } from "@turnwire/protocol";
import type { Finding } from "../finding.ts";
import { entriesOf, type Fault, type FaultKind, type HistoryEntry } from "../history.ts";

/** Faults after which a host can no longer act on its leases. */
const losesLeases: ReadonlySet<FaultKind> = new Set(["kill", "pause", "cut"]);

/** How long a turn of a host that was lost stayed open. */
export interface Takeover {
  readonly fault: number;
  readonly kind: FaultKind;
  readonly sessionId: string;
  /** Until another host had settled it; undefined when none did. */
  readonly tookMs: number | undefined;
  /** Until the first client saw that, which may have come to a lost host itself. */
  readonly seenMs: number | undefined;
}

export function takeoversOf(history: readonly HistoryEntry[]): Takeover[] {
  const seenAt = new Map<string, number>();
  for (const { sessionId, endedTurn, atMs } of entriesOf(history, "received")) {
    if (endedTurn === undefined) continue;
    const key = keyOf(sessionId, endedTurn);
    seenAt.set(key, Math.min(seenAt.get(key) ?? Infinity, atMs));
  }
  const writtenAt = writtenEnds(history);
  return entriesOf(history, "fault").flatMap((fault) => takeoversAfter(fault, writtenAt, seenAt));
}

/** When each turn ended, by the times in the logs, in the time of the history. */
function writtenEnds(history: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  const logs = new Map<string, readonly SessionEvent[]>();
  for (const { sessionId, events } of entriesOf(history, "final_log")) {
    if (logs.has(sessionId)) continue;
    logs.set(
      sessionId,
      events.map((text): SessionEvent => JSON.parse(text)),
    );
  }
  // Nothing is received before it is written: the fastest delivery shows how the clocks compare.
  let clockDifference = Infinity;
  for (const { sessionId, seq, atMs } of entriesOf(history, "received")) {
    const event = logs.get(sessionId)?.[seq - 1];
    if (event) clockDifference = Math.min(clockDifference, atMs - Date.parse(event.ts));
  }
  const ends = new Map<string, number>();
  for (const [sessionId, events] of logs) {
    for (const event of events) {
      if (event.type !== "done") continue;
      ends.set(keyOf(sessionId, event.data.turn_id), Date.parse(event.ts) + clockDifference);
    }
  }
  return ends;
}

function takeoversAfter(
  fault: Fault,
  writtenAt: ReadonlyMap<string, number>,
  seenAt: ReadonlyMap<string, number>,
): Takeover[] {
  if (!losesLeases.has(fault.kind)) return [];
  const since = (atMs: number | undefined) =>
    atMs === undefined ? undefined : Math.max(0, atMs - fault.atMs);
  return fault.openTurns.map(({ sessionId, turnId }) => {
    const key = keyOf(sessionId, turnId);
    const { fault: number, kind } = fault;
    const tookMs = since(writtenAt.get(key));
    return { fault: number, kind, sessionId, tookMs, seenMs: since(seenAt.get(key)) };
  });
}

function keyOf(sessionId: string, turnId: string): string {
  return JSON.stringify([sessionId, turnId]);
}

/** Whether every session of a lost host had a new owner in time. */
export function checkTakeovers(history: readonly HistoryEntry[], takeoverMs: number): Finding[] {
  return takeoversOf(history)
    .filter(({ tookMs }) => tookMs === undefined || tookMs > takeoverMs)
    .map(({ fault, kind, sessionId, tookMs }) => ({
      broken: "late_takeover" as const,
      sessionId,
      message: `after fault ${fault} (${kind}): ${tookMs === undefined ? "never" : `${Math.round(tookMs)} ms`}, allowed are ${takeoverMs}`,
    }));
}

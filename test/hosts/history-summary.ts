import { takeoversOf } from "./check/takeover.ts";
import { entriesOf, type FaultKind, faultKinds, type HistoryEntry } from "./history.ts";

/** What a run did and how long takeovers took, in lines for people. */
export function summaryOf(history: readonly HistoryEntry[]): string {
  const faults = entriesOf(history, "fault");
  const answers = entriesOf(history, "answered");
  const logs = new Map(entriesOf(history, "final_log").map((log) => [log.sessionId, log.events]));
  const events = [...logs.values()].reduce((sum, log) => sum + log.length, 0);
  const statuses = [...new Set(answers.map(({ status }) => status))].toSorted(
    (left, right) => left - right,
  );
  const shown = statuses.map((status) => {
    const count = answers.filter((answered) => answered.status === status).length;
    return `${status === 0 ? "broken" : status} × ${count}`;
  });
  return [
    `${faults.length} faults; ${logs.size} sessions with ${events} events; ${entriesOf(history, "received").length} deliveries on ${entriesOf(history, "connected").length} connections`,
    `${answers.length} commands: ${shown.join(", ")}`,
    ...faultKinds.flatMap((kind) => kindLine(history, kind)),
  ].join("\n");
}

function kindLine(history: readonly HistoryEntry[], kind: FaultKind): string[] {
  const count = entriesOf(history, "fault").filter((fault) => fault.kind === kind).length;
  if (count === 0) return [];
  const takeovers = takeoversOf(history).filter((takeover) => takeover.kind === kind);
  const took = takeovers
    .flatMap(({ tookMs }) => tookMs ?? [])
    .toSorted((left, right) => left - right);
  if (took.length === 0) return [`${kind}: ${count}`];
  const middle = took[Math.floor(took.length / 2)] ?? 0;
  const most = took.at(-1) ?? 0;
  const seen = Math.max(...takeovers.map(({ seenMs = 0 }) => seenMs));
  return [
    `${kind}: ${count}, ${took.length} turns taken over, median ${Math.round(middle)} ms, longest ${Math.round(most)} ms, seen by a client after ${Math.round(seen)} ms at most`,
  ];
}

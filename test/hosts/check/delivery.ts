import type { Finding } from "../finding.ts";
import { hashOf } from "../hash.ts";
import { entriesOf, type HistoryEntry, type Received } from "../history.ts";
import type { FinalLogs } from "./final-log.ts";

/** Whether every reader got every event of the final log once, in order, with its bytes. */
export function checkDelivery(history: readonly HistoryEntry[], logs: FinalLogs): Finding[] {
  const readers = readersOf(history);
  return [
    ...[...readers].flatMap(([, { received }]) => checkOrder(received)),
    ...checkBytes(entriesOf(history, "received"), logs),
    ...[...readers.values()].flatMap((reader) => checkEnd(reader, logs)),
  ];
}

interface Reader {
  readonly client: string;
  readonly sessionId: string;
  readonly after: number;
  readonly received: Received[];
}

/** Each client of each session, over all its connections. */
function readersOf(history: readonly HistoryEntry[]): Map<string, Reader> {
  const readers = new Map<string, Reader>();
  for (const entry of history) {
    if (entry.type !== "connected" && entry.type !== "received") continue;
    const { client, sessionId } = entry;
    const key = JSON.stringify([client, sessionId]);
    const after = entry.type === "connected" ? entry.after : 0;
    const reader = readers.get(key) ?? { client, sessionId, after, received: [] };
    readers.set(key, reader);
    if (entry.type === "received") reader.received.push(entry);
  }
  return readers;
}

function checkOrder(received: readonly Received[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<number>();
  let last: number | undefined;
  for (const { client, connection, sessionId, seq } of received) {
    const where = `${client}, connection ${connection}`;
    if (seen.has(seq)) {
      findings.push({ broken: "doubled", sessionId, message: `${where}: event ${seq} again` });
    } else if (last !== undefined && seq < last) {
      const message = `${where}: event ${seq} after ${last}`;
      findings.push({ broken: "reordered", sessionId, message });
    } else if (last !== undefined && seq > last + 1) {
      const message = `${where}: event ${seq} right after ${last}`;
      findings.push({ broken: "lost", sessionId, message });
    }
    seen.add(seq);
    last = Math.max(last ?? 0, seq);
  }
  return findings;
}

function checkBytes(received: readonly Received[], logs: FinalLogs): Finding[] {
  const findings: Finding[] = [];
  const hashes = new Map<string, readonly string[]>();
  for (const { client, sessionId, seq, hash } of received) {
    const log = logs.get(sessionId);
    if (!log) continue;
    const stored = hashes.get(sessionId) ?? log.texts.map(hashOf);
    hashes.set(sessionId, stored);
    if (stored[seq - 1] === hash) continue;
    const message =
      stored[seq - 1] === undefined
        ? `${client} got event ${seq}, which the log does not have`
        : `${client} got other bytes for event ${seq} than the log has`;
    findings.push({ broken: "divergent", sessionId, message });
  }
  return findings;
}

function checkEnd({ client, sessionId, after, received }: Reader, logs: FinalLogs): Finding[] {
  const head = logs.get(sessionId)?.texts.length;
  if (head === undefined) return [];
  const first = received[0]?.seq;
  const findings: Finding[] = [];
  if (first !== undefined && first !== after + 1) {
    const message = `${client} asked for what comes after ${after} and got ${first} first`;
    findings.push({ broken: first > after + 1 ? "lost" : "doubled", sessionId, message });
  }
  const last = received.reduce((most, { seq }) => Math.max(most, seq), after);
  if (last >= head) return findings;
  const message = `${client} got to ${last} of ${head}`;
  return [...findings, { broken: "unfinished", sessionId, message }];
}

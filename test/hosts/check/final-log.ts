import { checkGrammar, foldAll, initialState, type SessionEvent } from "@turnwire/protocol";
import type { Finding } from "../finding.ts";
import { hashOf } from "../hash.ts";
import { entriesOf, type HistoryEntry } from "../history.ts";

export interface CheckedLog {
  /** The JSON text of each event, as the store has it. */
  readonly texts: readonly string[];
  readonly events: readonly SessionEvent[];
}

/** By session. */
export type FinalLogs = ReadonlyMap<string, CheckedLog>;

/** The logs of the store; a history without the store's has those of the first source. */
export function finalLogsOf(history: readonly HistoryEntry[]): FinalLogs {
  const logs = new Map<string, CheckedLog>();
  const entries = entriesOf(history, "final_log");
  for (const { source, sessionId, events } of entries) {
    if (logs.has(sessionId) && source !== "store") continue;
    // The program that recorded the history got them from a store that only holds valid events.
    const parsed = events.map((text) => JSON.parse(text) as SessionEvent);
    logs.set(sessionId, { texts: events, events: parsed });
  }
  return logs;
}

/** Whether the logs are whole and well formed, and the same wherever they were read. */
export function checkFinalLogs(history: readonly HistoryEntry[], logs: FinalLogs): Finding[] {
  return [
    ...[...logs].flatMap(([sessionId, log]) => checkLog(sessionId, log)),
    ...checkSources(history, logs),
    ...checkFolded(history, logs),
  ];
}

function checkLog(sessionId: string, { events }: CheckedLog): Finding[] {
  return checkGrammar(events).map(({ seq, rule, message }) => ({
    broken: "malformed_log" as const,
    sessionId,
    message: `event ${seq} breaks ${rule}: ${message}`,
  }));
}

function checkSources(history: readonly HistoryEntry[], logs: FinalLogs): Finding[] {
  const findings: Finding[] = [];
  for (const { source, sessionId, events } of entriesOf(history, "final_log")) {
    const texts = logs.get(sessionId)?.texts ?? [];
    const length = Math.max(texts.length, events.length);
    for (let index = 0; index < length; index += 1) {
      if (events[index] === texts[index]) continue;
      const message = `${source} has another event ${index + 1} than the log`;
      findings.push({ broken: "divergent", sessionId, message });
      break;
    }
  }
  return findings;
}

function checkFolded(history: readonly HistoryEntry[], logs: FinalLogs): Finding[] {
  return entriesOf(history, "folded").flatMap(({ client, sessionId, seq, hash }) => {
    const events = logs.get(sessionId)?.events.slice(0, seq) ?? [];
    const state = foldAll(initialState(), events);
    if (hashOf(JSON.stringify(state)) === hash) return [];
    const message = `${client} holds another state at ${seq} than the log folds to`;
    return [{ broken: "divergent" as const, sessionId, message }];
  });
}

import {
  checkGrammar,
  type Control,
  foldAll,
  foldControl,
  initialControl,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import type { SessionRecord, Store } from "@turnwire/log";

/** A session as the disk has it. */
export interface StoredLog {
  readonly record: SessionRecord;
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  readonly control: Control;
}

export async function readStoredLogs(disk: Store): Promise<StoredLog[]> {
  const records = await disk.listSessions({ limit: 1000 });
  return Promise.all(records.map((record) => readStoredLog(disk, record)));
}

async function readStoredLog(disk: Store, record: SessionRecord): Promise<StoredLog> {
  const stored = await disk.read(record.sessionId, record.trimmed, Number.MAX_SAFE_INTEGER);
  const events = stored.map((event): SessionEvent => JSON.parse(event.json));
  const base = await disk.readBase(record.sessionId);
  const state = foldAll(base?.state ?? initialState(), events);
  const control = events.reduce(foldControl, base?.state ?? initialControl());
  return { record, events, state, control };
}

/** What a log may never be, whatever happened. */
export function logProblems({ record, events, control }: StoredLog): string[] {
  const problems: string[] = [];
  events.forEach((event, index) => {
    const expected = record.trimmed + 1 + index;
    if (event.seq !== expected) problems.push(`seq ${event.seq} where ${expected} is due`);
  });
  if (record.head !== (events.at(-1)?.seq ?? record.trimmed)) {
    problems.push(`the record's head is ${record.head}, the last event ${events.at(-1)?.seq}`);
  }
  if (record.trimmed === 0) {
    for (const { seq, rule, message } of checkGrammar(events)) {
      problems.push(`grammar at ${seq}: ${rule}, ${message}`);
    }
  }
  if (control.turn) problems.push(`turn ${control.turn.turn_id} has no done`);
  if (control.queue.length > 0) {
    problems.push(`${control.queue.length} messages wait for ever`);
  }
  return problems;
}

/** The events of a log as a line, for reports. */
export function logText({ events }: StoredLog): string {
  return events.map(({ seq, type, data }) => `${seq}:${type}${detail(data)}`).join(" ");
}

function detail(data: object): string {
  for (const name of ["delivery", "outcome", "code", "status", "text", "turn_id"]) {
    const value: unknown = Reflect.get(data, name);
    if (typeof value === "string") return `(${value.slice(0, 24)})`;
  }
  return "";
}

/**
 * CPU µs per event of the fold over 100,000 deltas, beside a mutable floor and a naive spread in one run.
 */
import {
  draft,
  type EventDraft,
  fold,
  foldAll,
  initialState,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";
import { median, publish, round, type Row } from "./report.ts";

interface Workload {
  readonly name: string;
  readonly turns: number;
}

interface Way {
  readonly name: string;
  /** Folds everything and answers how many characters the agent has said. */
  readonly run: (events: readonly SessionEvent[]) => number;
}

interface SpokenMessage {
  readonly role: "user" | "agent";
  readonly text: string;
}

interface NaiveState {
  readonly seq: number;
  readonly messages: readonly SpokenMessage[];
}

const deltas = 100_000;
const rounds = 15;
const word = "token ";

const workloads: readonly Workload[] = [
  { name: "1 message", turns: 1 },
  { name: "500 messages", turns: 250 },
];

const ways: readonly Way[] = [
  { name: "mutable floor", run: foldMutable },
  { name: "foldAll, pages of 1000", run: (events) => foldInBatches(events, 1000) },
  { name: "foldAll, batches of 16", run: (events) => foldInBatches(events, 16) },
  { name: "fold, one by one", run: foldOneByOne },
  { name: "naive spread", run: foldNaively },
];

function conversation(turns: number): SessionEvent[] {
  const drafts: EventDraft[] = [
    draft("session_ready", {
      session_id: "bench",
      protocol_version: "1.0",
      runtime: "demo",
      capabilities: noCapabilities,
    }),
  ];
  for (let turn = 0; turn < turns; turn += 1) drafts.push(...turnOf(turn, deltas / turns));
  const ts = "2026-11-15T09:00:00.000Z";
  const lines = drafts.map((event, index) => JSON.stringify({ seq: index + 1, ts, ...event }));
  return lines.map(eventFromLine);
}

/** Parsed, as a client gets them: objects made otherwise have other shapes and other speeds. */
function eventFromLine(line: string): SessionEvent {
  return JSON.parse(line) as SessionEvent;
}

function turnOf(turn: number, length: number): EventDraft[] {
  const turn_id = `t${turn}`;
  const message_id = `m${turn}`;
  return [
    draft("user_message", {
      message_id: `u${turn}`,
      content: [{ type: "text", text: "go on" }],
      delivery: "turn",
    }),
    draft("turn_started", { turn_id, message_id: `u${turn}` }, { turn_id }),
    ...Array.from({ length }, () => draft("delta", { message_id, text: word }, { turn_id })),
    draft("done", { turn_id }, { turn_id }),
  ];
}

function foldOneByOne(events: readonly SessionEvent[]): number {
  let state = initialState();
  for (const event of events) state = fold(state, event);
  return saidIn(state.messages);
}

function foldInBatches(events: readonly SessionEvent[], size: number): number {
  let state = initialState();
  for (let start = 0; start < events.length; start += size) {
    state = foldAll(state, events.slice(start, start + size));
  }
  return saidIn(state.messages);
}

function saidIn(messages: ReturnType<typeof initialState>["messages"]): number {
  let length = 0;
  for (const message of messages) {
    if (message.role !== "agent") continue;
    for (const block of message.blocks) if (block.type === "text") length += block.text.length;
  }
  return length;
}

/** The least that can be done: one object that is written in place. */
function foldMutable(events: readonly SessionEvent[]): number {
  const state = { seq: 0, messages: new Array<{ role: SpokenMessage["role"]; text: string }>() };
  for (const event of events) {
    state.seq = event.seq;
    if (event.type === "user_message") state.messages.push({ role: "user", text: "" });
    const last = state.messages.at(-1);
    if (event.type !== "delta") continue;
    if (last?.role === "agent") last.text += event.data.text;
    else state.messages.push({ role: "agent", text: event.data.text });
  }
  return lengthOf(state.messages);
}

/** What is written first: every event copies the state, all messages and what it changes. */
function foldNaively(events: readonly SessionEvent[]): number {
  return lengthOf(events.reduce(naiveStep, { seq: 0, messages: [] }).messages);
}

function naiveStep(state: NaiveState, event: SessionEvent): NaiveState {
  const next = { ...state, seq: event.seq };
  if (event.type === "user_message") {
    return { ...next, messages: [...state.messages, { role: "user", text: "" }] };
  }
  if (event.type !== "delta") return next;
  const { text } = event.data;
  const last = state.messages.at(-1);
  if (last?.role !== "agent") {
    return { ...next, messages: [...state.messages, { role: "agent", text }] };
  }
  const messages = state.messages.map((message) => {
    const isLast = message === last;
    return isLast ? { ...message, text: message.text + text } : { ...message };
  });
  return { ...next, messages };
}

function lengthOf(messages: readonly SpokenMessage[]): number {
  return messages.reduce((sum, message) => sum + message.text.length, 0);
}

function measure(workload: Workload): Row[] {
  const events = conversation(workload.turns);
  const figures = new Map<string, number[]>(ways.map((way) => [way.name, []]));
  for (let count = 0; count < rounds; count += 1) {
    for (const way of ways) figures.get(way.name)?.push(microsecondsPerEvent(way, events));
  }
  const floor = median(figures.get("mutable floor") ?? []);
  return ways.map((way) => {
    const figure = median(figures.get(way.name) ?? []);
    return {
      workload: workload.name,
      way: way.name,
      "CPU µs per event": round(figure, 3),
      "ratio to the floor": round(figure / floor, 1),
    };
  });
}

function microsecondsPerEvent(way: Way, events: readonly SessionEvent[]): number {
  const before = process.cpuUsage();
  const said = way.run(events);
  const { user, system } = process.cpuUsage(before);
  if (said !== deltas * word.length) throw new Error(`${way.name} lost text: ${said} characters.`);
  return (user + system) / events.length;
}

publish("fold", [{ title: `The fold over ${deltas} deltas`, rows: workloads.flatMap(measure) }]);

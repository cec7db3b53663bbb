/**
 * Events at a steady rate through the real server with durable SQLite: from the moment an event is
 * made to its arrival at each reader, in the same run beside bare sockets, and beside the least a
 * durable server does: what is due is committed by bare SQL, then written to bare sockets. Nothing
 * durable can be faster than the disk is at that moment.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { wholeLog } from "./server/whole-log.ts";
import { watchEventLoop } from "./event-loop.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { BareSql } from "./server/bare-sql.ts";
import { deltaDraft, deltaJson, frameOf } from "./server/delta.ts";
import { RawServer, type RawStream } from "./server/raw.ts";
import { startTurnwire } from "./server/turnwire.ts";

interface Scenario {
  readonly sessions: number;
  readonly readers: number;
  readonly eventsPerSecond: number;
}

interface Measurement {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly longestBlockMs: number;
}

/** Makes one event in one stream, whatever serves it. */
type Emit = (text: string) => void;

const scenarios: readonly Scenario[] = [
  { sessions: 1, readers: 1000, eventsPerSecond: 100 },
  { sessions: 50, readers: 2, eventsPerSecond: 50 },
];
const rounds = 4;
const seconds = 4;

const load = new LoadProcess();
const turnwire = await startTurnwire();
const raw = await RawServer.start();
const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-"));
const sql = new BareSql(join(directory, "bare.db"));
let sqlKeys = 0;
const rows = [];
for (const scenario of scenarios) rows.push(...(await compare(scenario)));
await load.stop();
await turnwire.close();
await raw.close();
sql.close();
rmSync(directory, { recursive: true });
publish("fixed-rate", [{ title: "From an event's making to its arrival at each reader", rows }]);

async function compare(scenario: Scenario) {
  const ways = [
    { name: "bare sockets", measure: measureRaw, results: new Array<Measurement>() },
    { name: "bare SQL + sockets", measure: measureDurable, results: new Array<Measurement>() },
    { name: "Turnwire", measure: measureTurnwire, results: new Array<Measurement>() },
  ];
  for (let count = 0; count <= rounds; count += 1) {
    for (const { name, measure, results } of ways) {
      const measurement = await measure(scenario);
      // The first round only warms up.
      if (count > 0) results.push(measurement);
      note(`${name} ${JSON.stringify(scenario)} ${JSON.stringify(measurement)}`);
    }
  }
  return ways.map(({ name, results }) => ({
    sessions: scenario.sessions,
    "events/s each": scenario.eventsPerSecond,
    readers: scenario.readers,
    way: name,
    "p50 ms": round(median(results.map(({ p50Ms }) => p50Ms)), 2),
    "p99 ms": round(median(results.map(({ p99Ms }) => p99Ms)), 2),
    "CPU % of a core": Math.round(median(results.map(({ cpuPercent }) => cpuPercent))),
    "longest block, ms": round(median(results.map((result) => result.longestBlockMs)), 1),
    lost: 0,
  }));
}

async function measureTurnwire(scenario: Scenario): Promise<Measurement> {
  const length = scenario.sessions;
  const sessions = await Promise.all(Array.from({ length }, () => turnwire.newSession()));
  const requests = sessions.map((session) => turnwire.requestFor(session));
  const emits = sessions.map((session): Emit => {
    const log = wholeLog(session.log);
    return (text) => void log.append([deltaDraft(text)]);
  });
  // The session itself wrote its first event.
  return measure(scenario, { port: turnwire.port, requests, emits, firstSeq: 2 });
}

async function measureRaw(scenario: Scenario): Promise<Measurement> {
  const streams = Array.from({ length: scenario.sessions }, () => raw.newStream());
  const requests = streams.map(({ request }) => request);
  const emits = streams.map((stream): Emit => {
    let seq = 0;
    return (text) => {
      seq += 1;
      stream.publish(Buffer.from(frameOf(seq, deltaJson(seq, text))));
    };
  });
  return measure(scenario, { port: raw.port, requests, emits, firstSeq: 1 });
}

/** What came due together is one commit of all streams; then it is written. */
async function measureDurable(scenario: Scenario): Promise<Measurement> {
  const streams = Array.from({ length: scenario.sessions }, () => {
    return { stream: raw.newStream(), key: ++sqlKeys, seq: 0 };
  });
  const requests = streams.map(({ stream }) => stream.request);
  let due: { stream: RawStream; key: number; seq: number; json: string }[] = [];
  const emits = streams.map((own): Emit => (text) => {
    own.seq += 1;
    due.push({ ...own, json: deltaJson(own.seq, text) });
  });
  const flush = (): void => {
    const made = due;
    due = [];
    sql.append(made.map(({ key, seq, json }) => ({ key, events: [{ seq, type: "delta", json }] })));
    for (const { stream, seq, json } of made) stream.publish(Buffer.from(frameOf(seq, json)));
  };
  return measure(scenario, { port: raw.port, requests, emits, flush, firstSeq: 1 });
}

interface Subject {
  readonly port: number;
  readonly requests: readonly string[];
  readonly emits: readonly Emit[];
  /** Called after all that came due together was made. */
  readonly flush?: () => void;
  readonly firstSeq: number;
}

async function measure(scenario: Scenario, subject: Subject): Promise<Measurement> {
  const events = scenario.eventsPerSecond * seconds;
  const { readers } = scenario;
  const streams = subject.requests.map((request) => ({ request, readers }));
  const lastSeq = subject.firstSeq + events - 1;
  await load.connect({ port: subject.port, streams, lastSeq });
  load.ask();
  await load.answered();
  const loop = watchEventLoop();
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedNowMs();
  await emitSteadily(subject, events);
  const { latency, doneAtMs } = await load.done();
  const { user, system } = process.cpuUsage(cpuBefore);
  const longestBlockMs = loop.stop();
  await load.disconnect();
  if (!latency) throw new Error("no event said when it was made");
  const cpuPercent = (user + system) / 10 / (doneAtMs - startedAtMs);
  return { ...latency, cpuPercent, longestBlockMs };
}

/** Spread over the time and over the streams: what is due is made, however late the clock is. */
async function emitSteadily({ emits, flush }: Subject, eventsEach: number): Promise<void> {
  const total = eventsEach * emits.length;
  const perMs = total / (seconds * 1000);
  const startedAtMs = sharedNowMs();
  for (let made = 0; made < total;) {
    const due = Math.min(total, Math.floor((sharedNowMs() - startedAtMs) * perMs) + 1);
    for (; made < due; made += 1) {
      emits[made % emits.length]?.(`@${sharedNowMs().toFixed(3)} a few words`);
    }
    flush?.();
    await setTimeout(1);
  }
}

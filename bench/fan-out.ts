/**
 * A burst of small deltas through the real server with durable SQLite to many SSE readers. Beside it,
 * in the same run and with as many events a write: frames made before, joined and written to bare
 * sockets; and events made, committed by bare SQL and then written to bare sockets.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { wholeLog } from "./server/whole-log.ts";
import { watchEventLoop } from "./event-loop.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { BareSql } from "./server/bare-sql.ts";
import { deltaDraft, deltaFrames, deltaJson, frameOf } from "./server/delta.ts";
import { RawServer, type RawStream } from "./server/raw.ts";
import { startTurnwire, type Session } from "./server/turnwire.ts";
import { socketWrites } from "./server/write-count.ts";

interface Scenario {
  readonly sessions: number;
  readonly readers: number;
  readonly events: number;
}

interface Measurement {
  readonly deliveriesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly eventsPerWrite: number;
  readonly longestBlockMs: number;
}

const scenarios: readonly Scenario[] = [
  { sessions: 1, readers: 1, events: 100_000 },
  { sessions: 1, readers: 10, events: 100_000 },
  { sessions: 1, readers: 100, events: 20_000 },
  { sessions: 1, readers: 1000, events: 5000 },
  { sessions: 100, readers: 2, events: 1000 },
];
const rounds = 7;
/** The output of one tick of an agent that is read in chunks of 64 KB. */
const eventsPerTick = 256;
const maxUncommittedBytes = 1024 * 1024;
const drafts = Array.from({ length: eventsPerTick }, () => deltaDraft());

const load = new LoadProcess();
const turnwire = await startTurnwire();
const raw = await RawServer.start();
const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-"));
const sql = new BareSql(join(directory, "bare.db"));
let sqlKeys = 0;

const rows = [];
for (const scenario of scenarios) rows.push(await compare(scenario));
await load.stop();
await turnwire.close();
await raw.close();
sql.close();
rmSync(directory, { recursive: true });
publish("fan-out", [{ title: "Burst to SSE readers", rows }]);

async function compare(scenario: Scenario) {
  const results: Record<"own" | "bare" | "durable", Measurement>[] = [];
  for (let count = 0; count <= rounds; count += 1) {
    const own = await measureTurnwire(scenario);
    const eventsPerWrite = Math.max(1, Math.round(own.eventsPerWrite));
    const bare = await measureRaw(scenario, eventsPerWrite);
    const durable = await measureDurable(scenario, eventsPerWrite);
    // The first round only warms up.
    if (count > 0) results.push({ own, bare, durable });
    note(`${JSON.stringify(scenario)}: ${JSON.stringify({ own, bare, durable })}`);
  }
  const middle = (pick: (result: (typeof results)[number]) => number) => median(results.map(pick));
  return {
    sessions: scenario.sessions,
    readers: scenario.readers,
    "events/write": round(
      middle(({ own }) => own.eventsPerWrite),
      1,
    ),
    "deliveries/s": Math.round(middle(({ own }) => own.deliveriesPerSecond)),
    "bare sockets": Math.round(middle(({ bare }) => bare.deliveriesPerSecond)),
    ratio: round(
      middle(({ own, bare }) => own.deliveriesPerSecond / bare.deliveriesPerSecond),
      2,
    ),
    "bare SQL + sockets": Math.round(middle(({ durable }) => durable.deliveriesPerSecond)),
    "its ratio": round(
      middle(({ own, durable }) => own.deliveriesPerSecond / durable.deliveriesPerSecond),
      2,
    ),
    "CPU µs, ours / bare / with SQL": [
      middle(({ own }) => own.cpuMicroseconds),
      middle(({ bare }) => bare.cpuMicroseconds),
      middle(({ durable }) => durable.cpuMicroseconds),
    ]
      .map((figure) => figure.toFixed(3))
      .join(" / "),
    "longest block, ms": round(
      middle(({ own }) => own.longestBlockMs),
      1,
    ),
    lost: 0,
  };
}

async function measureTurnwire(scenario: Scenario): Promise<Measurement> {
  const sessions = await Promise.all(
    Array.from({ length: scenario.sessions }, () => turnwire.newSession()),
  );
  const streams = sessions.map((session) => ({
    request: turnwire.requestFor(session),
    readers: scenario.readers,
  }));
  // The session itself wrote its first event.
  const lastSeq = scenario.events + 1;
  await load.connect({ port: turnwire.port, streams, lastSeq });
  return measure(() => Promise.all(sessions.map((session) => feed(session, scenario.events))));
}

/** As fast as the store takes it: the same bound as for an agent. */
async function feed(session: Session, events: number): Promise<void> {
  const log = wholeLog(session.log);
  for (let left = events; left > 0; left -= eventsPerTick) {
    log.append(left < eventsPerTick ? drafts.slice(0, left) : drafts);
    await setImmediate();
    if (log.uncommittedBytes > maxUncommittedBytes) await log.settled;
  }
  await log.settled;
}

async function measureRaw(scenario: Scenario, eventsPerWrite: number): Promise<Measurement> {
  const streams = await openRaw(scenario);
  const frames = deltaFrames(scenario.events);
  return measure(async () => {
    for (let sent = 0; sent < frames.length; sent += eventsPerWrite) {
      const chunk = Buffer.concat(frames.slice(sent, sent + eventsPerWrite));
      for (const stream of streams) stream.publish(chunk);
      await setImmediate();
    }
  });
}

/** The least a durable server does: make the events, commit them, then write them. */
async function measureDurable(scenario: Scenario, eventsPerWrite: number): Promise<Measurement> {
  const streams = await openRaw(scenario);
  const keys = streams.map(() => ++sqlKeys);
  return measure(async () => {
    for (let sent = 0; sent < scenario.events; sent += eventsPerWrite) {
      const length = Math.min(eventsPerWrite, scenario.events - sent);
      const batches = keys.map((key) => ({ key, events: eventsAfter(sent, length) }));
      sql.append(batches);
      for (const [index, { events }] of batches.entries()) {
        const text = events.map(({ seq, json }) => frameOf(seq, json)).join("");
        streams[index]?.publish(Buffer.from(text));
      }
      await setImmediate();
    }
  });
}

async function openRaw({ sessions, readers, events }: Scenario): Promise<RawStream[]> {
  const streams = Array.from({ length: sessions }, () => raw.newStream());
  const plan = streams.map(({ request }) => ({ request, readers }));
  await load.connect({ port: raw.port, streams: plan, lastSeq: events });
  return streams;
}

function eventsAfter(seq: number, length: number) {
  return Array.from({ length }, (_, index) => {
    const next = seq + index + 1;
    return { seq: next, type: "delta", json: deltaJson(next) };
  });
}

/** From the first event made to the last one read by the last reader. */
async function measure(work: () => Promise<unknown>): Promise<Measurement> {
  load.ask();
  await load.answered();
  const writesBefore = socketWrites();
  const loop = watchEventLoop();
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedNowMs();
  await work();
  const { deliveries, doneAtMs } = await load.done();
  const { user, system } = process.cpuUsage(cpuBefore);
  const writes = socketWrites() - writesBefore;
  const longestBlockMs = loop.stop();
  await load.disconnect();
  return {
    deliveriesPerSecond: (deliveries * 1000) / (doneAtMs - startedAtMs),
    cpuMicroseconds: (user + system) / deliveries,
    eventsPerWrite: deliveries / writes,
    longestBlockMs,
  };
}

/**
 * A burst of small deltas through the real server with durable SQLite to many SSE readers, beside
 * joined frames written to bare sockets, as many events a write, in the same run.
 */
import { setImmediate } from "node:timers/promises";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { deltaDraft, deltaFrames } from "./server/delta.ts";
import { RawServer } from "./server/raw.ts";
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
}

const scenarios: readonly Scenario[] = [
  { sessions: 1, readers: 1, events: 100_000 },
  { sessions: 1, readers: 10, events: 100_000 },
  { sessions: 1, readers: 100, events: 50_000 },
  { sessions: 1, readers: 1000, events: 5000 },
  { sessions: 100, readers: 2, events: 1000 },
];
const rounds = 5;
/** What an agent that is read in chunks of 64 KB says in one tick. */
const eventsPerTick = 256;
const maxUncommittedBytes = 1024 * 1024;
const drafts = Array.from({ length: eventsPerTick }, () => deltaDraft());

const load = new LoadProcess();
const turnwire = await startTurnwire();
const raw = await RawServer.start();
const rows = [];
for (const scenario of scenarios) rows.push(await compare(scenario));
await load.stop();
await turnwire.close();
await raw.close();
publish("fan-out", [{ title: "Burst to SSE readers, beside bare sockets", rows }]);

async function compare(scenario: Scenario) {
  const ours: Measurement[] = [];
  const bare: Measurement[] = [];
  for (let count = 0; count <= rounds; count += 1) {
    const own = await measureTurnwire(scenario);
    const other = await measureRaw(scenario, Math.max(1, Math.round(own.eventsPerWrite)));
    // The first round only warms up.
    if (count === 0) continue;
    ours.push(own);
    bare.push(other);
    note(`${JSON.stringify(scenario)} ${JSON.stringify(own)} ${JSON.stringify(other)}`);
  }
  const middle = (all: readonly Measurement[], key: keyof Measurement) =>
    median(all.map((measurement) => measurement[key]));
  const ratio = (key: keyof Measurement) =>
    median(ours.map((own, index) => own[key] / (bare[index]?.[key] ?? Number.NaN)));
  return {
    sessions: scenario.sessions,
    readers: scenario.readers,
    "events/write": round(middle(ours, "eventsPerWrite"), 1),
    "bare events/write": round(middle(bare, "eventsPerWrite"), 1),
    "deliveries/s": Math.round(middle(ours, "deliveriesPerSecond")),
    "bare deliveries/s": Math.round(middle(bare, "deliveriesPerSecond")),
    ratio: round(ratio("deliveriesPerSecond"), 2),
    "CPU µs": round(middle(ours, "cpuMicroseconds"), 3),
    "bare CPU µs": round(middle(bare, "cpuMicroseconds"), 3),
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
async function feed({ log }: Session, events: number): Promise<void> {
  for (let left = events; left > 0; left -= eventsPerTick) {
    log.append(left < eventsPerTick ? drafts.slice(0, left) : drafts);
    await setImmediate();
    if (log.uncommittedBytes > maxUncommittedBytes) await log.settled;
  }
  await log.settled;
}

async function measureRaw(scenario: Scenario, eventsPerWrite: number): Promise<Measurement> {
  const lastSeq = scenario.events + 1;
  const frames = deltaFrames(lastSeq);
  const streams = Array.from({ length: scenario.sessions }, () => raw.newStream());
  const plan = streams.map(({ request }) => ({ request, readers: scenario.readers }));
  await load.connect({ port: raw.port, streams: plan, lastSeq });
  return measure(async () => {
    for (let sent = 0; sent < lastSeq; sent += eventsPerWrite) {
      const chunk = Buffer.concat(frames.slice(sent, sent + eventsPerWrite));
      for (const stream of streams) stream.publish(chunk);
      await setImmediate();
    }
  });
}

/** From the first event made to the last one read by the last reader. */
async function measure(work: () => Promise<unknown>): Promise<Measurement> {
  load.ask();
  await load.answered();
  const writesBefore = socketWrites();
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedNowMs();
  await work();
  const { deliveries, doneAtMs } = await load.done();
  const { user, system } = process.cpuUsage(cpuBefore);
  const writes = socketWrites() - writesBefore;
  await load.disconnect();
  return {
    deliveriesPerSecond: (deliveries * 1000) / (doneAtMs - startedAtMs),
    cpuMicroseconds: (user + system) / deliveries,
    eventsPerWrite: deliveries / writes,
  };
}

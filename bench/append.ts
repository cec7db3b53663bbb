/**
 * Durable appends through the SQLite store, beside the bare SQL in one thread in the same run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openSqliteStore, type SessionRecord, type StoredEvent } from "@turnwire/log";
import { median, percentile, publish, round } from "./report.ts";
import { BareSql } from "./server/bare-sql.ts";

interface Throughput {
  readonly batch: number;
  readonly bareEventsPerSecond: number;
  /** One session that waits for each append. */
  readonly oneEventsPerSecond: number;
  /** Many sessions at once, each waiting for its own appends: what group commit is for. */
  readonly manyEventsPerSecond: number;
}

interface Latency {
  readonly way: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Log {
  readonly sessionId: string;
  readonly generation: number;
  head: number;
}

const batches = [1, 10, 100, 1000];
const rounds = 3;
const roundMs = 1000;
const manySessions = 32;
const eventsPerMs = 10;
const latencyMs = 4000;
const warmUpMs = 500;

const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-"));
const store = await openSqliteStore({ path: join(directory, "store.db") });
const bare = new BareSql(join(directory, "bare.db"));
let bareHead = 0;
const logs = await Promise.all(Array.from({ length: manySessions }, (_, index) => newLog(index)));

// First, while the disk has nothing else left to write.
const latency = [measured("bare", await bareLatency()), measured("store", await storeLatency())];
const throughput: Throughput[] = [];
for (const batch of batches) throughput.push(await measureThroughput(batch));

await store.close();
bare.close();
rmSync(directory, { recursive: true });
print();

async function measureThroughput(batch: number): Promise<Throughput> {
  const figures: Record<"bare" | "one" | "many", number[]> = { bare: [], one: [], many: [] };
  for (let count = 0; count < rounds; count += 1) {
    figures.bare.push(bareRate(batch));
    figures.one.push(await storeRate(logs.slice(0, 1), batch));
    figures.many.push(await storeRate(logs, batch));
  }
  return {
    batch,
    bareEventsPerSecond: median(figures.bare),
    oneEventsPerSecond: median(figures.one),
    manyEventsPerSecond: median(figures.many),
  };
}

function bareRate(batch: number): number {
  const start = performance.now();
  let written = 0;
  for (; performance.now() - start < roundMs; written += batch) appendBare(batch);
  return (written * 1000) / (performance.now() - start);
}

async function storeRate(writers: readonly Log[], batch: number): Promise<number> {
  const start = performance.now();
  let written = 0;
  await Promise.all(
    writers.map(async (log) => {
      for (; performance.now() - start < roundMs; written += batch) await append(log, batch);
    }),
  );
  return (written * 1000) / (performance.now() - start);
}

/** From the start of a transaction to its commit, with all events of a millisecond in one. */
async function bareLatency(): Promise<number[]> {
  return atSteadyRate(async (count) => {
    const start = performance.now();
    appendBare(count);
    return Array.from({ length: count }, () => performance.now() - start);
  });
}

/** From the call of append to its answer, each event on its own, spread over the sessions. */
async function storeLatency(): Promise<number[]> {
  let next = 0;
  return atSteadyRate((count) => {
    const start = performance.now();
    const appends = Array.from({ length: count }, async () => {
      next = (next + 1) % logs.length;
      const log = logs[next];
      if (log) await append(log, 1);
      return performance.now() - start;
    });
    return Promise.all(appends);
  });
}

/** Hands out events as the clock says they are due, whatever the answers take. */
async function atSteadyRate(work: (count: number) => Promise<number[]>): Promise<number[]> {
  const samples: Promise<number[]>[] = [];
  const start = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < latencyMs; elapsed = performance.now() - start) {
    const due = Math.floor(elapsed * eventsPerMs) - sent;
    sent += due;
    const sample = work(due);
    if (elapsed > warmUpMs) samples.push(sample);
    await setTimeout(1);
  }
  return (await Promise.all(samples)).flat();
}

function append(log: Log, count: number): Promise<void> {
  const { sessionId, generation } = log;
  const events = eventsAfter(log.head, count);
  log.head += count;
  return store.append({ sessionId, generation, events });
}

function eventsAfter(head: number, count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = head + index + 1;
    return { seq, type: "delta", json: jsonOf(seq) };
  });
}

/** About 190 bytes, as a delta of a few words is. */
function jsonOf(seq: number): string {
  return `{"seq":${seq},"ts":"2026-11-15T09:00:00.123Z","type":"delta","data":{"message_id":"msg_01HXYZ","text":"the quick brown fox jumps over the lazy dog and then sits down again"},"turn_id":"turn_01HXYZ"}`;
}

async function newLog(index: number): Promise<Log> {
  const record: SessionRecord = {
    sessionId: `session-${index}`,
    owner: "bench",
    epoch: "e",
    runtime: "demo",
    options: {},
    status: "live",
    activity: "working",
    cwd: "/",
    createdAt: "2026-11-15T09:00:00.000Z",
    updatedAt: "2026-11-15T09:00:00.000Z",
    head: 0,
    trimmed: 0,
  };
  const { generation } = await store.createSession(record, "bench", 60_000);
  return { sessionId: record.sessionId, generation, head: 0 };
}

function appendBare(count: number): void {
  bare.append([{ key: 1, events: eventsAfter(bareHead, count) }]);
  bareHead += count;
}

function measured(way: string, samples: readonly number[]): Latency {
  const sorted = Float64Array.from(samples).toSorted();
  return { way, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

function print(): void {
  const rates = throughput.map(({ batch, bareEventsPerSecond: base, ...figures }) => ({
    batch,
    "bare SQL events/s": Math.round(base),
    "1 session": Math.round(figures.oneEventsPerSecond),
    ratio: round(figures.oneEventsPerSecond / base, 2),
    [`${manySessions} sessions`]: Math.round(figures.manyEventsPerSecond),
    "their ratio": round(figures.manyEventsPerSecond / base, 2),
  }));
  const latencies = latency.map(({ way, p50Ms, p99Ms }) => ({
    way,
    "p50 ms": round(p50Ms, 2),
    "p99 ms": round(p99Ms, 2),
  }));
  publish("append", [
    { title: "Durable appends (synchronous = FULL), events/s", rows: rates },
    { title: `From call to durable at ${eventsPerMs * 1000} events/s`, rows: latencies },
  ]);
}

/**
 * One reader gets a log of 25 MB from the store, in events of 1 kB and in results of 100 kB, beside the
 * same bytes written to a bare socket: until it has all, and how long the server kept others waiting.
 */
import { draft } from "@turnwire/protocol";
import { wholeLog } from "./server/whole-log.ts";
import { watchEventLoop } from "./event-loop.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { deltaJson, frameOf } from "./server/delta.ts";
import { RawServer } from "./server/raw.ts";
import { startTurnwire } from "./server/turnwire.ts";

interface Way {
  readonly name: string;
  readonly size: number;
  readonly events: number;
  readonly port: number;
  readonly request: string;
  readonly results: Measurement[];
}

interface Measurement {
  readonly ms: number;
  readonly longestBlockMs: number;
}

const totalBytes = 25_000_000;
const sizes = [1_000, 100_000];
const rounds = 7;
/** The bytes that bare sockets get at once. */
const chunkBytes = 64 * 1024;

const load = new LoadProcess();
const raw = await RawServer.start();
// Memory keeps one event: all others come from the store.
const turnwire = await startTurnwire({ ringSize: 1 });
const ways: Way[] = [];
for (const size of sizes) ways.push(rawWay(size), await turnwireWay(size));
for (let count = 0; count <= rounds; count += 1) {
  for (const way of ways) {
    const measurement = await measure(way);
    // The first round only warms up.
    if (count > 0) way.results.push(measurement);
    note(`${way.name}, ${way.size} bytes: ${JSON.stringify(measurement)}`);
  }
}
await load.stop();
await raw.close();
await turnwire.close();
publish("replay", [{ title: `${totalBytes / 1e6} MB from the store to one reader`, rows: rows() }]);

function rows() {
  const msOf = (way: Way | undefined) => median(way?.results.map(({ ms }) => ms) ?? []);
  const smallest = msOf(ways.find(({ name, size }) => name === "Turnwire" && size === sizes[0]));
  return ways.map((way) => ({
    "bytes an event": way.size,
    way: way.name,
    "until all is there, ms": Math.round(msOf(way)),
    "of the time with 1 kB": way.name === "Turnwire" ? round(msOf(way) / smallest, 2) : "",
    "longest block, ms": round(median(way.results.map(({ longestBlockMs }) => longestBlockMs)), 1),
    lost: 0,
  }));
}

function eventsOf(size: number): number {
  return Math.round(totalBytes / size);
}

function rawWay(size: number): Way {
  const events = eventsOf(size);
  const text = "x".repeat(size);
  const frames = Array.from({ length: events }, (_, index) =>
    Buffer.from(frameOf(index + 1, deltaJson(index + 1, text))),
  );
  const bytes = Buffer.concat(frames);
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(bytes.subarray(start, start + chunkBytes));
  }
  const { request } = raw.newStream(chunks);
  return { name: "bare socket", size, events, port: raw.port, request, results: [] };
}

async function turnwireWay(size: number): Promise<Way> {
  // The session itself wrote its first event.
  const events = eventsOf(size) + 1;
  const session = await turnwire.newSession();
  // Not a delta: long ones are split into several events.
  const result = draft("notice", { level: "info", text: "x".repeat(size) });
  for (let left = events - 1; left > 0; left -= 100) {
    const length = Math.min(100, left);
    await wholeLog(session.log).append(Array.from({ length }, () => result)).committed;
  }
  const request = turnwire.requestFor(session);
  return { name: "Turnwire", size, events, port: turnwire.port, request, results: [] };
}

async function measure({ port, request, events }: Way): Promise<Measurement> {
  await load.connect({ port, streams: [{ request, readers: 1 }], lastSeq: events });
  const loop = watchEventLoop();
  const startedAtMs = sharedNowMs();
  load.ask();
  const { doneAtMs } = await load.done();
  const longestBlockMs = loop.stop();
  await load.disconnect();
  return { ms: doneAtMs - startedAtMs, longestBlockMs };
}

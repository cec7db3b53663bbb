/**
 * 1000 readers ask for 1000 events each at the same moment, as after a restart: until all have
 * caught up, from memory and from the store, beside one joined buffer written to each bare socket.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { wholeLog } from "./server/whole-log.ts";
import { watchEventLoop } from "./event-loop.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { deltaDraft, deltaFrames } from "./server/delta.ts";
import { RawServer } from "./server/raw.ts";
import { startTurnwire, type BenchServer } from "./server/turnwire.ts";

interface Way {
  readonly name: string;
  readonly port: number;
  /** The request of each reader. */
  readonly request: string;
}

interface Measurement {
  readonly ms: number;
  readonly cpuMs: number;
  readonly longestBlockMs: number;
}

const readers = 1000;
const events = 1000;
const rounds = 7;

const load = new LoadProcess();
const buffer = Buffer.concat(deltaFrames(events));
const raw = await RawServer.start();
const http = await startHttp();
const servers = {
  ring: await startTurnwire(),
  store: await startTurnwire({ ringSize: 1 }),
};
const ways: readonly Way[] = [
  { name: "bare sockets", port: raw.port, request: raw.newStream([buffer]).request },
  { name: "bare node:http", port: http.port, request: "GET / HTTP/1.1\r\nHost: bench\r\n\r\n" },
  await turnwireWay("Turnwire, from memory", servers.ring),
  await turnwireWay("Turnwire, from the store", servers.store),
];
const measurements = new Map<string, Measurement[]>(ways.map((way) => [way.name, []]));
for (let count = 0; count <= rounds; count += 1) {
  for (const way of ways) {
    const measurement = await measure(way);
    // The first round only warms up.
    if (count > 0) measurements.get(way.name)?.push(measurement);
    note(`${way.name}: ${measurement.ms.toFixed(0)} ms`);
  }
}
await load.stop();
for (const server of [raw, http, servers.ring, servers.store]) await server.close();
publish("reconnect-storm", [
  { title: `${readers} readers × ${events} events, all asking at once`, rows: ways.map(rowOf) },
]);

function rowOf({ name }: Way) {
  const own = measurements.get(name) ?? [];
  const bare = measurements.get("bare sockets") ?? [];
  return {
    way: name,
    "until all caught up, ms": Math.round(median(own.map(({ ms }) => ms))),
    ratio: round(median(own.map(({ ms }, index) => (bare[index]?.ms ?? Number.NaN) / ms)), 2),
    "CPU ms": Math.round(median(own.map(({ cpuMs }) => cpuMs))),
    "longest block, ms": round(median(own.map(({ longestBlockMs }) => longestBlockMs)), 1),
    lost: 0,
  };
}

async function turnwireWay(name: string, server: BenchServer): Promise<Way> {
  const session = await server.newSession();
  // The session itself wrote its first event.
  await wholeLog(session.log).append(Array.from({ length: events - 1 }, () => deltaDraft()))
    .committed;
  return { name, port: server.port, request: server.requestFor(session) };
}

async function measure({ port, request }: Way): Promise<Measurement> {
  await load.connect({ port, streams: [{ request, readers }], lastSeq: events });
  const loop = watchEventLoop();
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedNowMs();
  load.ask();
  const { doneAtMs } = await load.done();
  const { user, system } = process.cpuUsage(cpuBefore);
  const longestBlockMs = loop.stop();
  await load.disconnect();
  return { ms: doneAtMs - startedAtMs, cpuMs: (user + system) / 1000, longestBlockMs };
}

/** The cost of parsing a request and answering it, with no other work. */
async function startHttp() {
  const server = createServer((_request, response) => {
    response.removeHeader("transfer-encoding");
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.flushHeaders();
    response.socket?.write(buffer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    // Listening on TCP, an address is never a name.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}

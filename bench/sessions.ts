/**
 * Many sessions in one store: how long a server takes from its start until it has listed them, and
 * what memory it uses when it knows 10,000 and when 1,000 of them are followed, beside an empty store.
 * Each start has a process of its own.
 */
import { demo } from "@turnwire/runtime/demo";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { createTurnwireServer, openSqliteStore, createSessionHost } from "@turnwire/server";
import { wholeLog } from "./server/whole-log.ts";
import { watchEventLoop } from "./event-loop.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { deltaDraft } from "./server/delta.ts";

interface Measurement {
  readonly startMs: number;
  readonly longestBlockMs: number;
  readonly knownMegabytes: number;
  readonly followedMegabytes: number;
}

const MEASURE = "--measure-in";
const known = 10_000;
const followed = 1_000;
const eventsEach = 20;
const rounds = 3;
const token = "bench-token-0123456789-abcdefghijklmnopqrstuvwxyz";
const principal = { id: "local", isAdmin: true };

const flag = process.argv.indexOf(MEASURE);
if (flag === -1) await compare();
else process.send?.(await measure(String(process.argv[flag + 1])));

async function compare(): Promise<void> {
  const cases = [];
  for (const sessions of [0, known]) {
    const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-"));
    await fill(directory, sessions);
    cases.push({ sessions, directory, results: new Array<Measurement>() });
  }
  for (let count = 0; count < rounds; count += 1) {
    for (const { sessions, directory, results } of cases) {
      const measurement = await measureApart(directory);
      results.push(measurement);
      note(`${sessions} sessions: ${JSON.stringify(measurement)}`);
    }
  }
  for (const { directory } of cases) await rm(directory, { recursive: true });
  const rows = cases.map(({ sessions, results }) => {
    const middle = (pick: (result: Measurement) => number) => round(median(results.map(pick)), 1);
    return {
      "sessions in the store": sessions,
      "from start to the list, ms": middle(({ startMs }) => startMs),
      "longest block, ms": middle(({ longestBlockMs }) => longestBlockMs),
      "memory then, MB": middle(({ knownMegabytes }) => knownMegabytes),
      [`with ${followed} followed, MB`]:
        sessions === 0 ? "" : middle(({ followedMegabytes }) => followedMegabytes),
    };
  });
  publish("sessions", [{ title: `Sessions of ${eventsEach} events`, rows }]);
}

async function open(directory: string) {
  const store = await openSqliteStore({ path: join(directory, "store.db"), durability: "fast" });
  const runtime = demo();
  const host = createSessionHost({
    store,
    runtimes: [runtime],
    defaultRuntime: runtime.name,
    roots: [directory],
    onError: fail,
  });
  return { store, host };
}

async function fill(directory: string, sessions: number): Promise<void> {
  const { store, host } = await open(directory);
  const create = async (): Promise<void> => {
    const created = await host.create({}, principal);
    if (!created.ok) throw new Error(created.error.message);
    const log = wholeLog(created.value.log);
    const drafts = Array.from({ length: eventsEach - 1 }, () => deltaDraft());
    // At rest, as most sessions are: those that were live are loaded again at the start.
    await log.append(drafts, () => ({ patch: { status: "hibernated" } })).committed;
  };
  for (let left = sessions; left > 0; left -= 100) {
    await Promise.all(Array.from({ length: 100 }, create));
  }
  await host.close();
  await store.close();
}

async function measureApart(directory: string): Promise<Measurement> {
  const child = fork(fileURLToPath(import.meta.url), [MEASURE, directory]);
  const [measurement] = await once(child, "message");
  await once(child, "exit");
  // The child is this program, and sends nothing else.
  return measurement as Measurement;
}

async function measure(directory: string): Promise<Measurement> {
  const loop = watchEventLoop();
  const startedAtMs = sharedNowMs();
  const { store, host } = await open(directory);
  await host.recover();
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token },
    keepaliveMs: 3_600_000,
    onError: fail,
  });
  const { url, port } = await server.listen();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/sessions?limit=100`, { headers });
  const { sessions: listed } = (await answer.json()) as { sessions: { session_id: string }[] };
  const startMs = sharedNowMs() - startedAtMs;
  const longestBlockMs = loop.stop();
  const knownMegabytes = memoryInUse();
  const ids = listed.length === 0 ? [] : await idsOf(url, headers);
  const followedMegabytes = await follow(port, ids);
  await server.close();
  await store.close();
  return { startMs, longestBlockMs, knownMegabytes, followedMegabytes };
}

async function idsOf(url: string, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  while (ids.length < followed) {
    const cursor = after === undefined ? "" : `&after=${after}`;
    const answer = await fetch(`${url}/sessions?limit=100${cursor}`, { headers });
    const page = (await answer.json()) as { sessions: { session_id: string }[]; next?: string };
    ids.push(...page.sessions.map(({ session_id }) => session_id));
    after = page.next;
    if (after === undefined) break;
  }
  return ids.slice(0, followed);
}

/** The consumption while each of these has one reader. */
async function follow(port: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const load = new LoadProcess();
  const streams = ids.map((id) => {
    const head = `GET /sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const request = `${head}Authorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`;
    return { request, readers: 1 };
  });
  await load.connect({ port, streams, lastSeq: eventsEach });
  load.ask();
  await load.done();
  const megabytes = memoryInUse();
  await load.disconnect();
  await load.stop();
  return megabytes;
}

/** Of the heap and outside of it, without garbage. */
function memoryInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** A bench in which anything goes wrong has measured nothing. */
function fail(error: unknown): never {
  throw error;
}

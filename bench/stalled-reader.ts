/**
 * Six readers on a stream of 100 MB, then five and one that takes nothing: what the server's memory
 * grows by at most, and how long the five wait. Each measurement has a process of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { wholeLog } from "./server/whole-log.ts";
import { LoadProcess } from "./load/load-process.ts";
import { sharedNowMs } from "./load/message.ts";
import { median, note, publish, round } from "./report.ts";
import { deltaDraft } from "./server/delta.ts";
import { startTurnwire } from "./server/turnwire.ts";

interface Measurement {
  readonly seconds: number;
  readonly peakGrowthMegabytes: number;
}

const MEASURE = "--measure-with-stalled";
const readers = 6;
const text = "many words of a long tool result ".repeat(120);
const events = Math.ceil(100e6 / text.length);
const rounds = 3;
const eventsPerTick = 16;
const maxUncommittedBytes = 1024 * 1024;

const flag = process.argv.indexOf(MEASURE);
if (flag === -1) await compare();
else process.send?.(await measure(Number(process.argv[flag + 1])));

async function compare(): Promise<void> {
  const cases = [0, 1].map((stalled) => ({ stalled, results: new Array<Measurement>() }));
  for (let count = 0; count < rounds; count += 1) {
    for (const { stalled, results } of cases) {
      const measurement = await measureApart(stalled);
      results.push(measurement);
      note(`${stalled} stalled: ${JSON.stringify(measurement)}`);
    }
  }
  const rows = cases.map(({ stalled, results }) => ({
    readers: readers - stalled,
    stalled,
    "seconds until all have all": round(median(results.map(({ seconds }) => seconds)), 2),
    "peak growth of memory, MB": Math.round(
      median(results.map((result) => result.peakGrowthMegabytes)),
    ),
    lost: 0,
  }));
  publish("stalled-reader", [
    { title: "A stream of 100 MB, with and without a stalled reader", rows },
  ]);
}

async function measureApart(stalled: number): Promise<Measurement> {
  const child = fork(fileURLToPath(import.meta.url), [MEASURE, String(stalled)]);
  const [measurement] = await once(child, "message");
  await once(child, "exit");
  // The child is this program, and sends nothing else.
  return measurement as Measurement;
}

async function measure(stalled: number): Promise<Measurement> {
  const load = new LoadProcess();
  const turnwire = await startTurnwire();
  const session = await turnwire.newSession();
  const stream = { request: turnwire.requestFor(session), readers: readers - stalled, stalled };
  await load.connect({ port: turnwire.port, streams: [stream], lastSeq: events + 1 });
  load.ask();
  await load.answered();
  const log = wholeLog(session.log);
  const memory = watchMemory();
  const startedAtMs = sharedNowMs();
  for (let left = events; left > 0; left -= eventsPerTick) {
    const length = Math.min(left, eventsPerTick);
    log.append(Array.from({ length }, () => deltaDraft(text)));
    await setImmediate();
    if (log.uncommittedBytes > maxUncommittedBytes) await log.settled;
  }
  const { doneAtMs } = await load.done();
  const peakGrowthMegabytes = memory.stop() / 1e6;
  await load.disconnect();
  await load.stop();
  await turnwire.close();
  return { seconds: (doneAtMs - startedAtMs) / 1000, peakGrowthMegabytes };
}

function watchMemory() {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  return {
    stop(): number {
      clearInterval(timer);
      return peak - before;
    },
  };
}

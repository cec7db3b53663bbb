import { setTimeout } from "node:timers/promises";
import { sharedNowMs } from "../load/message.ts";
import { percentile } from "../report.ts";
import { BarePostgres } from "../server/bare-postgres.ts";
import { deltaJson } from "../server/delta.ts";
import type { Latency } from "./delivery.ts";

/** The connections of a pair. */
const WRITE = 0;
const NOTIFY = 1;
const LISTEN = 2;
const READ = 3;

interface BarePlan {
  readonly pairs: number;
  /** Of each pair. */
  readonly eventsPerSecond: number;
  readonly seconds: number;
}

/** The least that delivery between hosts takes, for as many pairs of a writer and a reader as there are hosts. */
export async function measureBareDelivery(
  url: string,
  { pairs, eventsPerSecond, seconds }: BarePlan,
): Promise<Latency & { readonly eventsPerSecond: number }> {
  const startedAtMs = sharedNowMs();
  const latencies = await Promise.all(
    Array.from({ length: pairs }, (_, pair) =>
      deliver(url, { channel: `bare_${pair}`, eventsPerSecond, total: eventsPerSecond * seconds }),
    ),
  );
  const sorted = Float64Array.from(latencies.flat()).toSorted();
  return {
    eventsPerSecond: (sorted.length * 1000) / (sharedNowMs() - startedAtMs),
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

interface PairPlan {
  readonly channel: string;
  readonly eventsPerSecond: number;
  readonly total: number;
}

/** Rows, then a NOTIFY by another connection; a third one that listens has a fourth one read. */
async function deliver(url: string, { channel, eventsPerSecond, total }: PairPlan) {
  const bare = await BarePostgres.open(url, 4);
  const sessionId = `${channel} ${sharedNowMs()}`;
  const latencies: number[] = [];
  let reading = Promise.resolve();
  const finished = new Promise<void>((resolve) => {
    const read = async (): Promise<void> => {
      if (latencies.length >= total) return;
      for (const text of await bare.read(READ, sessionId, latencies.length)) {
        const madeAtMs = Number(/@([\d.]+) /.exec(text)?.[1]);
        latencies.push(sharedNowMs() - madeAtMs);
      }
      if (latencies.length >= total) resolve();
    };
    reading = bare.listen(LISTEN, channel, () => {
      reading = reading.then(read);
    });
  });
  await reading;
  let notifying = Promise.resolve();
  const beganAtMs = sharedNowMs();
  for (let made = 0; made < total;) {
    const elapsedMs = sharedNowMs() - beganAtMs;
    const due = Math.min(total, Math.floor((elapsedMs * eventsPerSecond) / 1000) + 1);
    if (due > made) {
      const seqs = Array.from({ length: due - made }, (_, index) => made + index + 1);
      const texts = seqs.map((seq) => deltaJson(seq, `@${sharedNowMs().toFixed(3)} a few words`));
      await bare.append(WRITE, { sessionId, seqs, texts });
      notifying = notifying.then(() => bare.notify(NOTIFY, channel, String(due)));
      made = due;
    }
    const nextAtMs = beganAtMs + ((made + 1) * 1000) / eventsPerSecond;
    await setTimeout(Math.max(1, Math.ceil(nextAtMs - sharedNowMs())));
  }
  await Promise.all([finished, notifying]);
  await reading;
  await bare.close();
  return latencies;
}

import { LoadProcess } from "../load/load-process.ts";
import { sharedNowMs } from "../load/message.ts";
import type { BenchHost } from "./host-process.ts";
import { token } from "./message.ts";
import type { PostgresUse } from "./postgres-use.ts";

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Delivery extends Latency {
  readonly eventsPerSecond: number;
  /** Transactions that wrote or notified. */
  readonly commitsPerEvent: number;
  /** CPU per event. */
  readonly hostMicroseconds: number;
  readonly postgresMicroseconds: number | undefined;
}

export interface DeliveryPlan {
  readonly sessionsEach: number;
  readonly eventsEach: number;
  /** As fast as possible without it. */
  readonly seconds?: number;
}

/** Each host writes to its sessions; each session is read on the next host, on the same one where there is one only. */
export async function measureDelivery(
  hosts: readonly BenchHost[],
  postgres: PostgresUse,
  { sessionsEach, eventsEach, seconds }: DeliveryPlan,
): Promise<Delivery> {
  const ids = await Promise.all(hosts.map((host) => host.create(sessionsEach)));
  const loads = await Promise.all(
    hosts.map((_, index) => {
      const { port } = hosts[(index + 1) % hosts.length] ?? { port: 0 };
      return readersOf(ids[index] ?? [], { port, lastSeq: eventsEach + 1 });
    }),
  );
  const before = await used(hosts, postgres);
  const startedAtMs = sharedNowMs();
  const emitting = Promise.all(hosts.map((host) => host.emit(eventsEach, seconds)));
  const outcomes = await Promise.all(loads.map((load) => load.done()));
  await emitting;
  const after = await used(hosts, postgres);
  await Promise.all(loads.map((load) => load.disconnect().then(() => load.stop())));
  const doneAtMs = Math.max(...outcomes.map((outcome) => outcome.doneAtMs));
  const events = eventsEach * sessionsEach * hosts.length;
  const worst = (pick: (latency: Latency) => number): number =>
    Math.max(...outcomes.flatMap(({ latency }) => (latency ? [pick(latency)] : [])));
  const perEvent = (pick: (figures: typeof before) => number): number =>
    (pick(after) - pick(before)) / events;
  const isCpuKnown = before.postgresCpuMs !== undefined && after.postgresCpuMs !== undefined;
  return {
    eventsPerSecond: (events * 1000) / (doneAtMs - startedAtMs),
    p50Ms: worst(({ p50Ms }) => p50Ms),
    p99Ms: worst(({ p99Ms }) => p99Ms),
    commitsPerEvent: perEvent(({ commits }) => commits),
    hostMicroseconds: perEvent(({ hostCpuMs }) => hostCpuMs * 1000),
    postgresMicroseconds: isCpuKnown
      ? perEvent(({ postgresCpuMs = Number.NaN }) => postgresCpuMs * 1000)
      : undefined,
  };
}

/** A reader for each of these sessions, in a process of their own; resolves when all of them are answered. */
export async function readersOf(
  ids: readonly string[],
  { port, lastSeq }: { readonly port: number; readonly lastSeq: number },
): Promise<LoadProcess> {
  const load = new LoadProcess();
  const streams = ids.map((id) => ({ request: requestFor(id, port), readers: 1 }));
  await load.connect({ port, streams, lastSeq });
  load.ask();
  await load.answered();
  return load;
}

async function used(hosts: readonly BenchHost[], postgres: PostgresUse) {
  const [{ commits, cpuMs: postgresCpuMs }, ...figures] = await Promise.all([
    postgres.measure(),
    ...hosts.map((host) => host.measure()),
  ]);
  return { commits, postgresCpuMs, hostCpuMs: figures.reduce((sum, { cpuMs }) => sum + cpuMs, 0) };
}

function requestFor(sessionId: string, port: number): string {
  return [
    `GET /sessions/${sessionId}/events HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Accept: text/event-stream",
    "\r\n",
  ].join("\r\n");
}

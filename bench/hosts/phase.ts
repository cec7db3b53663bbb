import { openPostgresStore } from "@turnwire/log/postgres";
import { median, note, round, type Row, type Table } from "../report.ts";
import { BarePostgres } from "../server/bare-postgres.ts";
import { measureBareAppends, measureStoreAppends } from "./append.ts";
import { measureBareDelivery } from "./bare-delivery.ts";
import { fillStore, measureFollowing, measureIdle, measureKnown } from "./cost.ts";
import { type Delivery, measureDelivery } from "./delivery.ts";
import { BenchHost } from "./host-process.ts";
import type { PostgresUse } from "./postgres-use.ts";

/** How much is measured. */
export interface Extent {
  readonly batches: readonly number[];
  readonly rounds: number;
  readonly hostCounts: readonly number[];
  /** Events per second and host. */
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly burstEvents: number;
  readonly known: number;
  readonly followed: number;
}

export const wholeExtent: Extent = {
  batches: [1, 10, 100],
  rounds: 3,
  hostCounts: [1, 2, 3],
  rates: [100, 1_000],
  seconds: 4,
  burstEvents: 500,
  known: 10_000,
  followed: 1_000,
};

export const quickExtent: Extent = {
  batches: [10],
  rounds: 1,
  hostCounts: [1, 2],
  rates: [100, 1_000],
  seconds: 2,
  burstEvents: 200,
  known: 1_000,
  followed: 100,
};

export interface Setup {
  readonly extent: Extent;
  /** A database in which nothing is yet. */
  readonly url: string;
  /** The directory that sessions work in. */
  readonly root: string;
  readonly postgres: PostgresUse;
}

export interface Phase {
  readonly title: string;
  /** No phase takes longer, however busy the machine is. */
  readonly limitSeconds: number;
  readonly measure: (setup: Setup) => Promise<Row[]>;
}

/** In the order in which they are run; each has a database of its own. */
export const phases = {
  append: {
    title: "Durable appends to Postgres, events/s",
    limitSeconds: 120,
    measure: compareAppends,
  },
  delivery: {
    title: "From an event's making to a reader on the next host",
    limitSeconds: 240,
    measure: compareDelivery,
  },
  known: { title: "What known sessions cost a host", limitSeconds: 120, measure: compareKnown },
  followed: {
    title: "What followed sessions cost a host",
    limitSeconds: 180,
    measure: compareFollowed,
  },
} as const satisfies Record<string, Phase>;

export function tableOf(phase: Phase, rows: readonly Row[]): Table {
  return { title: phase.title, rows };
}

const writers = 16;
const sessionsEach = 20;

async function compareAppends({ url, extent }: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  const bare = await BarePostgres.open(url, writers);
  const store = await openPostgresStore({ url });
  for (const batch of extent.batches) {
    for (const count of [1, writers]) {
      const plain: number[] = [];
      const ours: number[] = [];
      for (let round = 0; round < extent.rounds; round += 1) {
        plain.push(await measureBareAppends(bare, batch, count));
        ours.push(await measureStoreAppends(store, batch, count));
      }
      add(rows, {
        "events per append": batch,
        "sessions at once": count,
        "bare INSERT": Math.round(median(plain)),
        "the store": Math.round(median(ours)),
        ratio: round(median(ours) / median(plain), 2),
      });
    }
  }
  await bare.close();
  await store.close();
  return rows;
}

async function compareDelivery({ url, root, postgres, extent }: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  const { seconds, burstEvents } = extent;
  for (const count of extent.hostCounts) {
    const hosts = await Promise.all(
      Array.from({ length: count }, () => BenchHost.start(url, root)),
    );
    const measure = async (load: string, plan: { eventsEach: number; seconds?: number }) =>
      add(rows, {
        hosts: count,
        way: count === 1 ? "Turnwire, read on it" : "Turnwire, read on the next",
        load,
        ...deliveryRow(await measureDelivery(hosts, postgres, { sessionsEach, ...plan })),
      });
    // The first run is slow.
    await measureDelivery(hosts, postgres, { sessionsEach, eventsEach: 25, seconds: 1 });
    for (const rate of extent.rates) {
      const load = `${rate} events/s per host`;
      const bare = await measureBareDelivery(url, { pairs: count, eventsPerSecond: rate, seconds });
      add(rows, {
        hosts: count,
        way: "bare INSERT, NOTIFY, SELECT",
        load,
        "events/s": Math.round(bare.eventsPerSecond),
        "p50 ms": round(bare.p50Ms, 2),
        "p99 ms": round(bare.p99Ms, 2),
      });
      await measure(load, { eventsEach: (rate * seconds) / sessionsEach, seconds });
    }
    await measure("as fast as possible", { eventsEach: burstEvents });
    await Promise.all(hosts.map((host) => host.close()));
  }
  return rows;
}

function deliveryRow(figures: Delivery): Row {
  const { postgresMicroseconds } = figures;
  return {
    "events/s": Math.round(figures.eventsPerSecond),
    "p50 ms": round(figures.p50Ms, 2),
    "p99 ms": round(figures.p99Ms, 2),
    "commits per event": round(figures.commitsPerEvent, 2),
    "CPU µs per event, hosts": Math.round(figures.hostMicroseconds),
    "CPU µs per event, Postgres":
      postgresMicroseconds === undefined ? "" : Math.round(postgresMicroseconds),
  };
}

async function compareKnown({ url, root, postgres, extent }: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  const place = { url, root, postgres };
  add(rows, await measureKnown(place, [], extent.seconds));
  const ids = await fillStore(url, root, extent.known);
  note(`${ids.length} sessions are in the store`);
  add(rows, await measureKnown(place, ids, extent.seconds));
  return rows;
}

async function compareFollowed({ url, root, postgres, extent }: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  const { followed, seconds } = extent;
  const [owner, follower] = await Promise.all([
    BenchHost.start(url, root),
    BenchHost.start(url, root),
  ]);
  add(rows, { "": "nothing", ...(await measureIdle(follower, postgres, seconds)) });
  const ids = await owner.create(followed);
  note(`${ids.length} sessions are live`);
  add(rows, {
    "": `${followed} of its own, live`,
    ...(await measureIdle(owner, postgres, seconds)),
  });
  const { idle, p50Ms, p99Ms } = await measureFollowing(
    { owner, follower, postgres },
    ids,
    seconds,
  );
  add(rows, {
    "": `${followed} of another host, a reader each`,
    ...idle,
    "p50 ms of an event": round(p50Ms, 2),
    "p99 ms": round(p99Ms, 2),
  });
  await Promise.all([owner.close(), follower.close()]);
  return rows;
}

function add(rows: Row[], row: Row): void {
  note(JSON.stringify(row));
  rows.push(row);
}

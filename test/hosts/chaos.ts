import { setTimeout as wait } from "node:timers/promises";
import type { Cluster, ClusterHost } from "./cluster.ts";
import type { FaultKind, HistoryEntry } from "./history.ts";
import { Random } from "./random.ts";
import { Recorder } from "./recorder.ts";
import { Sender } from "./sender.ts";
import { SessionLoad } from "./session-load.ts";

export interface ChaosOptions {
  readonly cluster: Cluster;
  readonly token: string;
  readonly seed: number;
  readonly sessions: number;
  /** In this order, one after the other. */
  readonly faults: readonly FaultKind[];
  readonly leaseMs: number;
  /** Which host has which session now. */
  readonly findOwners: () => Promise<ReadonlyMap<string, string>>;
  /** Stops and starts the database. */
  readonly restartDatabase: (mode: "fast" | "immediate") => Promise<void>;
  /** What is not settled by then never will be. */
  readonly settleMs?: number;
  readonly note?: (text: string) => void;
}

/** Uses sessions on all hosts while one fault after the other happens; answers with all that was seen. */
export async function runChaos(options: ChaosOptions): Promise<readonly HistoryEntry[]> {
  const { cluster, token, seed, settleMs = 60_000, note = () => undefined } = options;
  const recorder = new Recorder();
  const random = new Random(seed);
  const sender = new Sender(recorder, token);
  const doors = cluster.hosts.map(({ door }) => door);
  const loads = Array.from(
    { length: options.sessions },
    (_, index) =>
      new SessionLoad({
        sessionId: `s${index + 1}`,
        recorder,
        random: new Random(seed + index + 1),
        sender,
        token,
        doors,
        balancer: cluster.balancer,
      }),
  );
  await Promise.all(loads.map((load) => load.start(random.of(doors))));
  const run = { ...options, recorder, random, loads };
  for (const [index, kind] of options.faults.entries()) {
    note(`fault ${index + 1} of ${options.faults.length}: ${kind}`);
    await sufferFault(run, index + 1, kind);
  }
  for (const load of loads) load.stopTalking();
  note("waiting until everything is settled");
  const limit = AbortSignal.timeout(settleMs);
  await Promise.all(loads.map((load) => load.finish(limit)));
  return recorder.history;
}

interface Run extends ChaosOptions {
  readonly recorder: Recorder;
  readonly random: Random;
  readonly loads: readonly SessionLoad[];
}

async function sufferFault(run: Run, fault: number, kind: FaultKind): Promise<void> {
  const { recorder, random, loads, leaseMs } = run;
  // A moment between two faults, so that they meet different moments of turns.
  await wait(random.integer(0, 500));
  const { host, openTurns } = await busyHost(run);
  const heal = begin(run, kind, host);
  const isOfHost = kind !== "restart_database";
  recorder.add({
    type: "fault",
    fault,
    kind,
    ...(isOfHost && { host: host.name }),
    openTurns: isOfHost ? openTurns : [],
  });
  // Longer than the lease, so that what comes back finds others in its place.
  const lastsMs = leaseMs + random.integer(0, leaseMs);
  await Promise.all([
    wait(lastsMs).then(heal),
    kind === "restart_database" ? undefined : settled(loads, openTurns, lastsMs * 4),
  ]);
  recorder.add({ type: "healed", fault });
}

/** A host in the middle of turns, with those turns. */
async function busyHost({ loads, cluster, findOwners }: Run) {
  for (;;) {
    await anyTurn(loads);
    const owners = await findOwners();
    for (const host of cluster.hosts) {
      const openTurns = loads
        .filter(({ sessionId }) => owners.get(sessionId) === host.name)
        .flatMap(({ sessionId, progress: { openTurn: turnId } }) =>
          turnId === undefined ? [] : [{ sessionId, turnId }],
        );
      if (openTurns.length > 0) return { host, openTurns };
    }
  }
}

/** Begins a fault; what it answers with ends it. */
function begin(run: Run, kind: FaultKind, host: ClusterHost): () => Promise<void> {
  const { process, database } = host;
  switch (kind) {
    case "kill": {
      const killed = process.kill();
      return () => killed.then(() => process.start());
    }
    case "pause":
      process.pause();
      return async () => process.resume();
    case "cut": {
      database.state = run.random.of(["cut", "silent"]);
      return async () => {
        database.state = "open";
      };
    }
    case "drain": {
      const drained = process.drain();
      return async () => {
        await drained;
        await process.start();
      };
    }
    case "restart_database": {
      const restarted = run.restartDatabase(run.random.of(["fast", "immediate"]));
      return async () => restarted;
    }
  }
}

/** Waits until a turn runs somewhere. */
async function anyTurn(loads: readonly SessionLoad[]): Promise<void> {
  const found = new AbortController();
  const waits = loads.map(({ progress }) =>
    progress.waitFor(() => progress.openTurn !== undefined, found.signal),
  );
  await Promise.race(waits);
  found.abort();
}

/** Waits until the turns that a fault met are over; what takes too long is the checker's to report. */
async function settled(
  loads: readonly SessionLoad[],
  openTurns: readonly { readonly sessionId: string; readonly turnId: string }[],
  limitMs: number,
): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  await Promise.all(
    openTurns.map(async ({ sessionId, turnId }) => {
      const progress = loads.find((load) => load.sessionId === sessionId)?.progress;
      await progress?.waitFor(() => progress.openTurn !== turnId, limit);
    }),
  );
}

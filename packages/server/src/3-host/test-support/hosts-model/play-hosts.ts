import { logText, readStoredLogs } from "../model/stored-log.ts";
import { hostsProblems } from "./hosts-problems.ts";
import type { HostsHistory } from "./hosts-step.ts";
import { HostsWorld } from "./hosts-world.ts";
import { leaseMs } from "./model-host.ts";
import { performAct } from "./perform-act.ts";

/** More rounds of half a second than any settling needs. */
const MAX_ROUNDS = 400;
/** So many rounds without a change: longer than a lease and what a command waits for. */
const QUIET_ROUNDS = (2 * leaseMs + 5_000) / 500;

/** Plays a history on an empty store; answers with every promise that it broke, and how. */
export async function playHosts(history: HostsHistory): Promise<string[]> {
  const world = new HostsWorld(history);
  await world.start();
  for (const { act, turns } of history.steps) {
    await performAct(world, act);
    await world.run(turns);
  }
  const problems = await settle(world);
  problems.push(...(await hostsProblems(world)), ...(await probe(world)));
  problems.push(...(await hostsProblems(world)));
  if (problems.length > 0) {
    for (const log of await readStoredLogs(world.disk)) {
      problems.push(`${log.record.sessionId}: ${logText(log)}`);
    }
    problems.push(...history.steps.map((step, index) => `${index}. ${JSON.stringify(step)}`));
  }
  await closeAll(world);
  return problems;
}

/** Ends every fault and lets agents finish what they have, until nothing changes any more. */
async function settle(world: HostsWorld): Promise<string[]> {
  for (const host of [...world.hosts, ...world.formerHosts]) {
    host.hear();
    host.heal();
    await host.resume();
  }
  let quiet = 0;
  let before = "";
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await world.advance(500);
    for (const host of world.hosts) {
      for (const run of host.runtime.openRuns) host.finish(run);
    }
    for (const sessionId of world.sessionIds) await world.answerOpen(sessionId, [0]);
    const records = await world.disk.listSessions({ limit: 100 });
    for (const { sessionId, status } of records) {
      if (status === "archived") world.command(sessionId, { type: "unarchive" }, 0);
    }
    const isThere = (id: string) => records.some(({ sessionId }) => sessionId === id);
    for (const wandering of world.readers) {
      const { isConnected, sessionId } = wandering.reader;
      if (!isConnected && isThere(sessionId)) world.connect(wandering);
    }
    const now = JSON.stringify([
      records.map(({ sessionId, head }) => [sessionId, head]),
      world.readers.map(({ reader }) => reader.cursor),
    ]);
    quiet = now === before ? quiet + 1 : 0;
    before = now;
    if (quiet >= QUIET_ROUNDS && world.pending.size === 0) return [];
  }
  return [`${world.pending.size} commands were never answered`];
}

/** Every session that is left takes one more message at each host, and runs it. */
async function probe(world: HostsWorld): Promise<string[]> {
  const probes = (await world.disk.listSessions({ limit: 100 })).flatMap(({ sessionId }) =>
    world.hosts.map((_, index) => {
      const text = `probe-${index}-of-${sessionId}`;
      const message = { sessionId, text, clientMessageId: text, attempts: [] };
      world.messages.push(message);
      world.send(message, index);
      return message;
    }),
  );
  const problems = await settle(world);
  const refused = probes.filter(({ attempts }: { attempts: { type: string }[] }) =>
    attempts.every(({ type }) => type !== "accepted"),
  );
  return [...problems, ...refused.map((message) => `${JSON.stringify(message)} was not accepted`)];
}

async function closeAll(world: HostsWorld): Promise<void> {
  for (const host of world.hosts) {
    host.runtime.calm();
    await host.close();
  }
  await world.disk.close();
}

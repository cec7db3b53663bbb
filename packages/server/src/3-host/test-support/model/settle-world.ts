import { isDeepStrictEqual } from "node:util";
import { openRequests, requestId } from "@turnwire/protocol";
import { StoreError, type StoreErrorCode } from "@turnwire/log";
import { RuntimeError } from "@turnwire/runtime";
import { InjectedFault } from "./faulty-store.ts";
import { componentProblems } from "./component-problems.ts";
import { inputProblems } from "./input-problems.ts";
import type { SentMessage } from "./client-ledger.ts";
import { isInjectedFailure } from "./model-runtime.ts";
import { policyProblems } from "./policy-problems.ts";
import type { ServerProcess } from "./server-process.ts";
import { logProblems, logText, readStoredLogs, type StoredLog } from "./stored-log.ts";
import { answerTo } from "./request-draft.ts";
import { principals, type World } from "./world.ts";

/** More rounds than any settling needs. */
const maxRounds = 150;
/** So many rounds without any change mean that nothing more will happen. */
const quietRounds = 4;

/** Lets everything come to its end, without faults, and names each promise that does not hold. */
export async function settleWorld(world: World): Promise<string[]> {
  const problems: string[] = [];
  await calmDown(world, problems);
  await finishDeletions(world, problems);
  await probe(world, problems);
  problems.push(...readerProblems(world), ...(await ownerProblems(world)));
  problems.push(...(await sessionProblems(world)));
  await closeDown(world, problems);
  await openAgain(world, problems);
  for (const log of await readStoredLogs(world.disk)) {
    const open = Object.keys(log.control.requests);
    if (open.length > 0) problems.push(`${log.record.sessionId}: ${open.join(", ")} never ended`);
    problems.push(...logProblems(log).map((problem) => `after the close: ${problem}`));
  }
  if (problems.length > 0) {
    for (const log of await readStoredLogs(world.disk)) {
      problems.push(`${log.record.sessionId} (${log.record.status}): ${logText(log)}`);
    }
  }
  return problems;
}

/** Ends every slowness and lets agents finish what they have, until nothing changes any more. */
async function calmDown(world: World, problems: string[]): Promise<void> {
  let quiet = 0;
  let before = "";
  for (let round = 0; round < maxRounds; round++) {
    for (const process of world.processes) if (!process.isCrashed) process.calm();
    await world.run(3);
    const { openRuns } = world.process.runtime;
    for (const run of openRuns) {
      if (run.turnId !== undefined) run.finish();
      if (run.hasTask) run.toggleTask();
    }
    await answerOpen(world);
    const records = await world.disk.listSessions({ limit: 1000 });
    const now = JSON.stringify([
      records.map(({ sessionId, head }) => [sessionId, head]),
      openRuns.length,
      world.pending.size,
      world.processes.length,
    ]);
    quiet = now === before ? quiet + 1 : 0;
    before = now;
    if (quiet >= quietRounds && world.pending.size === 0) return;
    if (quiet >= 10 * quietRounds) break;
  }
  const waiting = [...world.pending.values()].map(({ what }) => what);
  problems.push(
    waiting.length > 0
      ? `never answered: ${waiting.join(", ")}`
      : "something happens again and again",
  );
}

/** A person answers what is still asked: whoever waits for an agent's slot waits for that. */
async function answerOpen(world: World): Promise<void> {
  for (const { record, control } of await readStoredLogs(world.disk)) {
    for (const request of openRequests(control)) {
      const command = answerTo(request.type, requestId(request));
      const isOpen = !control.session.is_closed && control.session.status !== "archived";
      if (isOpen) world.command(record.sessionId, command);
    }
  }
}

/** A session whose deletion was cut short takes a second one. */
async function finishDeletions(world: World, problems: string[]): Promise<void> {
  for (const { record, control } of await readStoredLogs(world.disk)) {
    if (!control.session.is_closed) continue;
    world.track("delete", async ({ host }) => {
      await host.delete(record.sessionId, principals[0]);
    });
    await calmDown(world, problems);
    const left = await world.disk.getSession(record.sessionId);
    if (left) problems.push(`${record.sessionId}: is closed and cannot be deleted`);
  }
}

/** Every session that is left takes one more message and runs it; every reader comes back and sees it. */
async function probe(world: World, problems: string[]): Promise<void> {
  const probes: SentMessage[] = [];
  for (const { sessionId, status } of await world.disk.listSessions({ limit: 1000 })) {
    world.track("open", async (process) => {
      await world.open(process, sessionId);
    });
    if (status === "archived") continue;
    const text = `probe-of-${sessionId}`;
    probes.push({ sessionId, text, clientMessageId: text, answers: [], isCancelAsked: false });
  }
  for (const reader of world.readers) if (!reader.isConnected) world.connect(reader);
  for (let attempt = 0; attempt < 4; attempt++) {
    const open = probes.filter(({ answers }) => answers.at(-1)?.type !== "accepted");
    if (open.length === 0 && attempt > 0) break;
    for (const message of open) world.send(message);
    await calmDown(world, problems);
  }
  world.ledger.messages.push(...probes);
  for (const { text, answers } of probes) {
    if (answers.at(-1)?.type === "accepted") continue;
    problems.push(`${text} was refused: ${JSON.stringify(answers)}`);
  }
  for (const reader of world.readers) if (!reader.isConnected) world.connect(reader);
  await calmDown(world, problems);
}

function readerProblems(world: World): string[] {
  return world.readers.flatMap((reader, index) =>
    reader.problems.map((problem) => `reader ${index}: ${problem}`),
  );
}

/** Every agent belongs to a session that is there, and every slot to an agent. */
async function ownerProblems(world: World): Promise<string[]> {
  const { host, runtime } = world.process;
  const problems: string[] = [];
  const { openRuns } = runtime;
  if (host.metrics.liveRuns !== openRuns.length) {
    problems.push(`${host.metrics.liveRuns} slots are taken, ${openRuns.length} agents live`);
  }
  const owners = new Set<string>();
  for (const { options } of openRuns) {
    const { sessionId } = options;
    if (owners.has(sessionId)) problems.push(`${sessionId} has two agents`);
    owners.add(sessionId);
    const session = await world.open(world.process, sessionId);
    if (!session?.hasAgent) problems.push(`an agent of ${sessionId} belongs to no session`);
  }
  return problems;
}

async function sessionProblems(world: World): Promise<string[]> {
  const problems: string[] = [];
  const logs = await readStoredLogs(world.disk);
  for (const log of logs) {
    const id = log.record.sessionId;
    const found = [
      ...logProblems(log),
      ...world.ledger.messages
        .filter((message) => message.sessionId === id)
        .flatMap((message) => inputProblems(world, message, log)),
      ...answerProblems(world, log),
      ...spokenProblems(world, log),
      ...policyProblems(log),
      ...componentProblems(log),
      ...(await stateProblems(world, log)),
    ];
    problems.push(...found.map((problem) => `${id}: ${problem}`));
  }
  const ids = new Set(logs.map(({ record }) => record.sessionId));
  world.readers.forEach((reader, index) => {
    if (!ids.has(reader.sessionId) && reader.isConnected) {
      problems.push(`reader ${index} follows a session that is gone`);
    }
  });
  return problems;
}

function answerProblems(world: World, { record }: StoredLog): string[] {
  const { journal, ledger } = world;
  return journal.requests
    .filter(({ sessionId }) => sessionId === record.sessionId)
    .flatMap(({ id }) => {
      const accepted = ledger.acceptedAnswers.get(id) ?? 0;
      const reached = journal.answered.filter((answered) => answered === id).length;
      return [
        ...(accepted > 1 ? [`${id} took ${accepted} answers`] : []),
        ...(reached > 1 ? [`the agent got ${reached} answers to ${id}`] : []),
      ];
    });
}

/** Where nothing failed, the log has every word of its agents once. */
function spokenProblems(world: World, { record, events }: StoredLog): string[] {
  const { processes, journal } = world;
  const isWhole = processes.every(({ store, isCrashed }) => store.injected === 0 && !isCrashed);
  if (!isWhole || record.trimmed > 0) return [];
  return journal.spoken
    .filter(({ sessionId }) => sessionId === record.sessionId)
    .flatMap(({ text }) => {
      const kept = events.filter((event) => event.type === "notice" && event.data.text === text);
      return kept.length === 1 ? [] : [`${text} is in the log ${kept.length} times`];
    });
}

/** What the log folds to is what the server says and what each reader has. */
async function stateProblems(world: World, { record, state }: StoredLog): Promise<string[]> {
  const problems: string[] = [];
  const session = await world.open(world.process, record.sessionId);
  if (!session) return ["cannot be opened"];
  const snapshot = await session.snapshot();
  if (!isDeepStrictEqual(snapshot.state, state)) {
    problems.push(`the snapshot at ${snapshot.seq} is not the fold of the log at ${state.seq}`);
  }
  world.readers.forEach((reader, index) => {
    if (reader.sessionId !== record.sessionId) return;
    if (!reader.isConnected) problems.push(`reader ${index} could not come back`);
    if (reader.cursor !== record.head) {
      problems.push(`reader ${index} is at ${reader.cursor}, the head is ${record.head}`);
    } else if (!isDeepStrictEqual(reader.state, state)) {
      problems.push(`reader ${index} has another state than the log`);
    }
  });
  return problems;
}

/** Closing gives everything back. */
async function closeDown(world: World, problems: string[]): Promise<void> {
  const { process } = world;
  world.track("close", () => process.close());
  for (let round = 0; round < maxRounds && world.pending.size > 0; round++) await world.run(2);
  if (world.pending.size > 0) problems.push("the host never closes");
  await world.run(3);
  const { sessionsLoaded, liveRuns } = process.host.metrics;
  if (sessionsLoaded > 0) problems.push(`${sessionsLoaded} sessions are loaded after the close`);
  if (liveRuns > 0) problems.push(`${liveRuns} slots are taken after the close`);
  for (const { runtime, clock, isCrashed } of world.processes) {
    if (isCrashed) continue;
    const { openRuns } = runtime;
    if (openRuns.length > 0) problems.push(`${openRuns.length} agents outlive the server`);
    if (clock.waiting > 0) problems.push(`${clock.waiting} timers outlive the server`);
  }
  world.readers.forEach((reader, index) => {
    if (reader.isConnected) problems.push(`reader ${index} was not notified of the close`);
  });
  problems.push(...world.processes.flatMap(errorProblems));
}

/** A closed server left nothing to do: the next one finds every session as it was, and starts no agent. */
async function openAgain(world: World, problems: string[]): Promise<void> {
  const before = await readStoredLogs(world.disk);
  const process = world.boot();
  await world.run(5);
  for (const { record } of before) {
    world.track("open", async () => {
      await world.open(process, record.sessionId);
    });
  }
  await world.run(10);
  const heads = new Map(
    (await readStoredLogs(world.disk)).map(({ record }) => [record.sessionId, record.head]),
  );
  for (const { record } of before) {
    const head = heads.get(record.sessionId);
    if (head === record.head) continue;
    problems.push(`${record.sessionId} was at ${record.head}, after the next start at ${head}`);
  }
  if (process.runtime.runs.length > 0) problems.push("the next start woke an agent");
  await closeDown(world, problems);
}

/** Errors that no injected fault explains. */
function errorProblems({ errors, thrown, store, isCrashed }: ServerProcess): string[] {
  if (isCrashed) return [];
  const hadFaults = store.injected > 0;
  const unexplained = [
    ...errors.filter((error) => !isExplained(error, hadFaults)),
    ...thrown.filter(
      (error) =>
        !isExplained(error, hadFaults) &&
        !isSessionUnknown(error) &&
        !(hadFaults && isOutRefusal(error)),
    ),
  ];
  return unexplained.map(
    (error) => `reported: ${error instanceof Error ? error.stack : String(error)}`,
  );
}

function isExplained(error: unknown, hadFaults: boolean): boolean {
  if (error instanceof RuntimeError) return isInjectedFailure(error);
  return hadFaults && (error instanceof InjectedFault || hasCode(error, "lease_lost"));
}

/** A command met a session that was deleted meanwhile: its sender gets a 404. */
function isSessionUnknown(error: unknown): boolean {
  return hasCode(error, "session_unknown");
}

/** A command met a host that was letting go of what it had lost: its sender gets a 503. */
function isOutRefusal(error: unknown): boolean {
  return (
    hasCode(error, "unavailable") &&
    error instanceof Error &&
    error.message === "this host could not renew its leases"
  );
}

function hasCode(error: unknown, code: StoreErrorCode): boolean {
  return error instanceof StoreError && error.code === code;
}

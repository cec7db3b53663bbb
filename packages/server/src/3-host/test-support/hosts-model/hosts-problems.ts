import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "@turnwire/protocol";
import { StoreError } from "@turnwire/log";
import { RuntimeError } from "@turnwire/runtime";
import { messageText } from "../model/message-text.ts";
import { logProblems, readStoredLogs, type StoredLog } from "../model/stored-log.ts";
import type { ModelHost } from "./model-host.ts";
import type { HostsMessage, HostsWorld } from "./hosts-world.ts";

/** Refusals after which a command may have been carried out all the same. */
const ambiguous = new Set(["store_unavailable", "overloaded", "internal", "shutting_down"]);
/** What a host that is cut off, or has lost its sessions to another, may report. */
const expected = new Set(["unavailable", "lease_lost", "session_unknown", "entry_answered"]);

/** Each promise that does not hold, when everything has come to its end. */
export async function hostsProblems(world: HostsWorld): Promise<string[]> {
  const logs = await readStoredLogs(world.disk);
  const problems = logs.flatMap((log) =>
    [
      ...logProblems(log),
      ...requestProblems(world, log),
      ...world.messages
        .filter(({ sessionId }) => sessionId === log.record.sessionId)
        .flatMap((message) => messageProblems(world, message, log)),
      ...readerProblems(world, log),
      ...drainProblems(world, log),
    ].map((problem) => `${log.record.sessionId}: ${problem}`),
  );
  for (const sessionId of world.sessionIds) {
    const waiting = await world.disk.readInbox(sessionId, 100);
    problems.push(...waiting.map(({ body }) => `${sessionId}: no host carries out ${body}`));
    const isThere = logs.some(({ record }) => record.sessionId === sessionId);
    if (!isThere && !world.deletions.has(sessionId)) problems.push(`${sessionId} is gone`);
  }
  for (const [sessionId, count] of world.creations) {
    if (count > 1) problems.push(`${sessionId} was made ${count} times`);
  }
  for (const [index, { reader }] of world.readers.entries()) {
    problems.push(...reader.problems.map((problem) => `reader ${index}: ${problem}`));
    const isThere = logs.some(({ record }) => record.sessionId === reader.sessionId);
    if (!isThere && reader.isConnected) problems.push(`reader ${index} follows what is gone`);
    if (reader.end === "closed" && reader.state?.session.is_closed !== true) {
      problems.push(`reader ${index} did not see that the session was closed`);
    }
  }
  problems.push(...allHosts(world).flatMap(({ drainWatch }) => drainWatch?.problems ?? []));
  return [...problems, ...agentProblems(world), ...errorProblems(world)];
}

/** One decision per request, whichever hosts were asked, and no second answer for the agent. */
function requestProblems(world: HostsWorld, { record, events }: StoredLog): string[] {
  return world.journal.requests
    .filter(({ sessionId }) => sessionId === record.sessionId)
    .flatMap(({ id }) => {
      const isAsked = events.some((event) => isAbout(event, "permission_request", id));
      const decisions = events.filter((event) => isAbout(event, "permission_resolved", id));
      const accepted = world.acceptedAnswers.get(id) ?? 0;
      const reached = world.journal.answered.filter((answered) => answered === id).length;
      return [
        ...(isAsked && decisions.length !== 1 ? [`${id} has ${decisions.length} decisions`] : []),
        ...(accepted > 1 ? [`${accepted} answers to ${id} were accepted`] : []),
        ...(reached > 1 ? [`the agent got ${reached} answers to ${id}`] : []),
      ];
    });
}

function isAbout(event: SessionEvent, type: SessionEvent["type"], id: string): boolean {
  return event.type === type && Reflect.get(event.data, "correlation_id") === id;
}

/** What was accepted is there once, under one id, and was handed to an agent at most once. */
function messageProblems(
  world: HostsWorld,
  message: HostsMessage,
  { events }: StoredLog,
): string[] {
  const { text, attempts } = message;
  const kept = events.filter(
    (event) => event.type === "user_message" && messageText(event.data.content) === text,
  );
  const ids = new Set(
    attempts.flatMap((attempt) => (attempt.type === "accepted" ? [attempt.messageId] : [])),
  );
  // One that waited for a host is refused by a session that was archived meanwhile.
  const wasArchived = events.some(
    ({ type, data }) => type === "session_updated" && data.status === "archived",
  );
  // And one that should have joined a turn, by a session whose turn is over.
  const mayBeRefused = wasArchived || message.isSteer === true;
  const isStored = attempts.some(
    ({ type }) => type === "accepted" || (type === "pending" && !mayBeRefused),
  );
  const isRefused = attempts.every(
    (attempt) => attempt.type === "rejected" && !ambiguous.has(attempt.code),
  );
  const problem = (what: string) => [`${text} (${JSON.stringify(attempts)}) ${what}`];
  if (kept.length > 1) return problem(`is in the log ${kept.length} times`);
  if (isStored && kept.length === 0) return problem("is not in the log");
  if (isRefused && kept.length > 0) return problem("was refused and is in the log");
  if (ids.size > 1) return problem("was accepted under several ids");
  const [event] = kept;
  if (event?.type !== "user_message") return [];
  const id = event.data.message_id;
  if (ids.size === 1 && !ids.has(id)) return problem(`is in the log as ${id}`);
  const turns = events.filter(
    (other) => other.type === "turn_started" && other.data.message_id === id,
  );
  const handed = [...world.journal.sent, ...world.journal.steered].filter(
    ({ messageId }) => messageId === id,
  );
  if (handed.length > 1) return problem(`was handed to agents ${handed.length} times`);
  const isDeferred = events.some(
    (other) => other.type === "message_deferred" && other.data.message_id === id,
  );
  if (event.data.delivery === "steer" && !isDeferred) return [];
  const isCancelled = events.some(
    (other) => other.type === "message_cancelled" && other.data.message_id === id,
  );
  if (isCancelled && !world.cancellations.has(id)) return problem("was taken back by no one");
  if (turns.length !== (isCancelled ? 0 : 1)) return problem(`has ${turns.length} turns`);
  return [];
}

/** Whoever followed, at whichever hosts, has seen what was written. */
function readerProblems(world: HostsWorld, { record, state }: StoredLog): string[] {
  return world.readers.flatMap(({ reader }, index) => {
    if (reader.sessionId !== record.sessionId) return [];
    if (reader.cursor !== record.head) {
      return [`reader ${index} is at ${reader.cursor}, the head is ${record.head}`];
    }
    return isDeepStrictEqual(reader.state, state) ? [] : [`reader ${index} has another state`];
  });
}

/** No turn is lost that ended while its host drained. */
function drainProblems(world: HostsWorld, { events }: StoredLog): string[] {
  return events.flatMap((event) => {
    if (event.type !== "error" || event.data.code !== "turn_lost") return [];
    const { turn_id: turnId = "" } = event;
    const isKept = allHosts(world).some(({ drainWatch }) => drainWatch?.endedTurns.has(turnId));
    return isKept ? [`${turnId} ended while its host drained, and was lost`] : [];
  });
}

function allHosts({ hosts, formerHosts }: HostsWorld): ModelHost[] {
  return [...hosts, ...formerHosts];
}

/** An agent that still runs belongs to the host that holds its session: no two for one session. */
function agentProblems(world: HostsWorld): string[] {
  const owners = new Map<string, number>();
  for (const host of allHosts(world)) {
    if (host.isCrashed) continue;
    for (const { options } of host.runtime.openRuns) {
      owners.set(options.sessionId, (owners.get(options.sessionId) ?? 0) + 1);
    }
  }
  return [...owners].flatMap(([sessionId, count]) =>
    count > 1 ? [`${count} agents work for ${sessionId}`] : [],
  );
}

function errorProblems(world: HostsWorld): string[] {
  return allHosts(world)
    .filter((host) => !host.isCrashed)
    .flatMap(({ errors }) => errors)
    .filter((error) => !(error instanceof RuntimeError))
    .filter((error) => !(error instanceof StoreError && expected.has(error.code)))
    .map((error) => `reported: ${error instanceof Error ? error.stack : String(error)}`);
}

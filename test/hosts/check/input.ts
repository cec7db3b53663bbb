import type { SessionEvent } from "@turnwire/protocol";
import type { Finding } from "../finding.ts";
import { type Answered, entriesOf, type HistoryEntry, type Input, type Sent } from "../history.ts";
import type { CheckedLog, FinalLogs } from "./final-log.ts";

/** Whether what was acknowledged had its effect, once, and nothing was left open. */
export function checkInputs(history: readonly HistoryEntry[], logs: FinalLogs): Finding[] {
  const tries = triesOf(history);
  return [
    ...tries.flatMap(checkClarity),
    ...tries.flatMap((one) => checkEffect(one, logs)),
    ...checkDecisions(tries),
    ...[...logs].flatMap(([sessionId, log]) => checkSettled(sessionId, log)),
  ];
}

interface Try {
  readonly sent: Sent;
  /** Absent when the run ended first. */
  readonly answered?: Answered;
}

function triesOf(history: readonly HistoryEntry[]): Try[] {
  const answers = new Map(
    entriesOf(history, "answered").map((answered) => [answered.operation, answered]),
  );
  return entriesOf(history, "sent").map((sent) => {
    const answered = answers.get(sent.operation);
    return answered ? { sent, answered } : { sent };
  });
}

function isAcknowledged({ answered }: Try): boolean {
  return answered !== undefined && answered.status >= 200 && answered.status < 300;
}

/** A client can act on: done, refused by the session's state, try later, gone. */
function checkClarity({ sent, answered }: Try): Finding[] {
  if (!answered) return [];
  const { status, code } = answered;
  const isClear =
    status === 0 ||
    (status >= 200 && status < 300) ||
    (code !== undefined && [404, 409, 429, 503].includes(status));
  if (isClear) return [];
  const { sessionId, operation, host } = sent;
  const message = `${operation} to ${host} was answered with ${status} ${code ?? "without a code"}`;
  return [{ broken: "unclear_answer", sessionId, message }];
}

function checkEffect(one: Try, logs: FinalLogs): Finding[] {
  const { sessionId, input, operation } = one.sent;
  const log = logs.get(sessionId);
  if (!log) return [];
  const effects = log.events.filter((event) => isEffectOf(event, input));
  if (effects.length > 1) {
    const message = `${operation} has ${effects.length} effects: ${effects.map(({ seq }) => seq).join(", ")}`;
    return [{ broken: "effect_twice", sessionId, message }];
  }
  // One that is pending is kept, but the owner may find that another answer came first.
  const mayLose = input.kind === "answer" && one.answered?.isPending === true;
  if (effects.length === 1 || !isAcknowledged(one) || mayLose) return [];
  const message = `${operation} was acknowledged and left nothing in the log`;
  return [{ broken: "ack_without_effect", sessionId, message }];
}

function isEffectOf(event: SessionEvent, input: Input): boolean {
  if (input.kind === "message") {
    return event.type === "user_message" && event.data.client_message_id === input.clientMessageId;
  }
  return (
    event.type === "permission_resolved" &&
    event.data.correlation_id === input.correlationId &&
    event.data.outcome === "answered" &&
    event.data.allowed === input.isAllowed
  );
}

/** Of the answers to one request, one may have decided. */
function checkDecisions(tries: readonly Try[]): Finding[] {
  const deciders = new Map<string, Try[]>();
  for (const one of tries) {
    const { input, sessionId } = one.sent;
    if (input.kind !== "answer" || !isAcknowledged(one) || one.answered?.isPending) continue;
    const key = JSON.stringify([sessionId, input.correlationId]);
    deciders.set(key, [...(deciders.get(key) ?? []), one]);
  }
  return [...deciders.values()]
    .filter((winners) => winners.length > 1)
    .map((winners) => ({
      broken: "decided_twice" as const,
      sessionId: winners[0]?.sent.sessionId ?? "",
      message: `answers that were all acknowledged: ${winners.map(({ sent }) => sent.operation).join(", ")}`,
    }));
}

/** Every message got its turn or was taken back, every turn its end, every request its result. */
function checkSettled(sessionId: string, { events }: CheckedLog): Finding[] {
  type EventOf<Type> = Extract<SessionEvent, { type: Type }>;
  const of = <Type extends SessionEvent["type"]>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const findings: Finding[] = [];
  const isOpen = (what: string, id: string): void => {
    findings.push({ broken: "unsettled", sessionId, message: `${what} ${id} was left open` });
  };
  const started = of("turn_started");
  const ended = new Set(of("done").map(({ data }) => data.turn_id));
  const resolved = new Set(of("permission_resolved").map(({ data }) => data.correlation_id));
  const cancelled = new Set(of("message_cancelled").map(({ data }) => data.message_id));
  for (const { data } of started) if (!ended.has(data.turn_id)) isOpen("turn", data.turn_id);
  for (const { data } of of("permission_request")) {
    if (!resolved.has(data.correlation_id)) isOpen("request", data.correlation_id);
  }
  for (const { data } of of("user_message")) {
    const turns = started.filter((turn) => turn.data.message_id === data.message_id);
    if (turns.length > 1) {
      const message = `message ${data.message_id} started ${turns.length} turns`;
      findings.push({ broken: "effect_twice", sessionId, message });
    }
    const isTaken = turns.length > 0 || cancelled.has(data.message_id);
    if (!isTaken && data.delivery !== "steer") isOpen("message", data.message_id);
  }
  return findings;
}

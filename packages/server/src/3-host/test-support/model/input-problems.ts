import type { SessionEvent } from "@turnwire/protocol";
import { messageText } from "./message-text.ts";
import { acceptedId, type SentMessage } from "./client-ledger.ts";
import type { StoredLog } from "./stored-log.ts";
import type { World } from "./world.ts";

/** Why a turn may have ended without its message ever reaching an agent, said in the log. */
const honestCodes = new Set(["turn_lost", "agent_exited", "agent_failed", "interrupt_timeout"]);

/** Where an accepted message did not run exactly once, or a refused one left a trace. */
export function inputProblems(world: World, message: SentMessage, log: StoredLog): string[] {
  if (log.record.trimmed > 0) return [];
  const { text } = message;
  const said = (problem: string) => [`${text}: ${problem}`];
  const kept = log.events.filter(
    (event) => event.type === "user_message" && messageText(event.data.content) === text,
  );
  const id = acceptedId(message);
  if (id === undefined) {
    if (kept.length > 1)
      return said(`was never acknowledged and is in the log ${kept.length} times`);
    return kept.length > 0 && isRefusedForSure(world, message)
      ? said(`was refused (${answersOf(message)}) and is in the log`)
      : [];
  }
  const others = message.answers.filter(
    (answer) => answer.type === "accepted" && answer.messageId !== id,
  );
  if (others.length > 0) return said(`was accepted under two ids: ${answersOf(message)}`);
  const [event] = kept;
  if (kept.length !== 1 || event?.type !== "user_message" || event.data.message_id !== id) {
    return said(`was accepted as ${id} and is in the log ${kept.length} times`);
  }
  return runProblems(world, message, { log, event, id }).map((problem) => `${text}: ${problem}`);
}

interface KeptMessage {
  readonly log: StoredLog;
  readonly event: Extract<SessionEvent, { type: "user_message" }>;
  readonly id: string;
}

function runProblems(world: World, message: SentMessage, kept: KeptMessage): string[] {
  const { log, event, id } = kept;
  const { sessionId } = message;
  const isThis = (handed: { sessionId: string; messageId: string }) =>
    handed.sessionId === sessionId && handed.messageId === id;
  const sent = world.journal.sent.filter(isThis);
  const steered = world.journal.steered.filter(isThis);
  const turns = log.events.filter(
    (other) => other.type === "turn_started" && other.data.message_id === id,
  );
  const cancelled = log.events.filter(
    (other) => other.type === "message_cancelled" && other.data.message_id === id,
  );
  const deferred = log.events.filter(
    (other) => other.type === "message_deferred" && other.data.message_id === id,
  );
  if (cancelled.length > 0 && !message.isCancelAsked) return ["was cancelled without a command"];
  if (sent.length + steered.length > 1) {
    return [`was handed over ${sent.length} times as a turn and ${steered.length} times to steer`];
  }
  if (event.data.delivery === "steer" && deferred.length === 0) {
    const turnId = event.turn_id ?? "";
    return steered.length === 1 || isHonestlyLost(log, turnId) || hadCrash(world)
      ? []
      : ["was accepted to steer and never reached the agent, nor waits it for a turn"];
  }
  if (turns.length + cancelled.length !== 1) {
    return [`has ${turns.length} turns and ${cancelled.length} cancellations`];
  }
  const turnId = turns[0]?.turn_id ?? "";
  if (turns.length === 1 && sent.length === 0 && !isHonestlyLost(log, turnId)) {
    return [`has the turn ${turnId}, which no agent got and no error explains`];
  }
  return [];
}

function isHonestlyLost(log: StoredLog, turnId: string): boolean {
  return log.events.some(
    (event) =>
      event.turn_id === turnId &&
      ((event.type === "error" && honestCodes.has(event.data.code)) ||
        (event.type === "result" && event.data.subtype === "budget_reached") ||
        (event.type === "done" && event.data.stopped === true)),
  );
}

/** A server that died cannot know whether its agent had heard a message. */
function hadCrash(world: World): boolean {
  return world.processes.some(({ isCrashed, store }) => isCrashed || store.injected > 0);
}

/** Refused each time by a server that lived and whose disk did as it said. */
function isRefusedForSure(world: World, message: SentMessage): boolean {
  const isAmbiguous = world.processes.some(({ store }) => store.isAmbiguous);
  return !isAmbiguous && message.answers.every((answer) => answer.type === "rejected");
}

function answersOf(message: SentMessage): string {
  return message.answers
    .map((answer) => (answer.type === "rejected" ? answer.code : answer.type))
    .join(", ");
}

import type { SessionEvent, SessionEventOf } from "../event/event.ts";
import type { AgentMessage, Control, Message, QueuedMessage, UserMessage } from "../state/state.ts";
import { attached, attachedWithin } from "./attached.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { closeOpenMessage, messageFor, messagesOfTurn, pushBlock } from "./place.ts";
import { settleBlocks } from "./tool.ts";

/** A queued message joins the conversation when its turn starts. */
export function addUserMessage(batch: FoldBatch, event: SessionEventOf<"user_message">): void {
  batch.isActivityStale = true;
  const { delivery } = event.data;
  if (delivery === "queue") return;
  closeOpenMessage(batch);
  const runningId = delivery === "steer" ? batch.control.turn?.turn_id : undefined;
  const turnId = event.turn_id ?? runningId;
  const { seq, ts } = event;
  batch.ownMessages().push(userMessage({ ...event.data, ...attached(event), seq, ts }, turnId));
}

/** It left the turn it was sent to and is shown again when its own starts. */
export function deferMessage(batch: FoldBatch, event: SessionEventOf<"message_deferred">): void {
  batch.isActivityStale = true;
  const { message_id } = event.data;
  const index = batch.messages.findLastIndex((message) => message.id === message_id);
  if (index >= 0) batch.ownMessages().splice(index, 1);
}

/** A message that is already in the conversation leaves it as well. */
export function cancelMessage(
  batch: FoldBatch,
  event: SessionEventOf<"message_cancelled">,
  before: Control,
): void {
  const { message_id } = event.data;
  if (!before.queue.some((message) => message.message_id === message_id)) return;
  batch.isActivityStale = true;
  const index = batch.messages.findLastIndex((message) => message.id === message_id);
  if (index >= 0) batch.ownMessages().splice(index, 1);
}

export function startTurn(
  batch: FoldBatch,
  event: SessionEventOf<"turn_started">,
  before: Control,
): void {
  batch.isActivityStale = true;
  closeOpenMessage(batch);
  const { turn_id: turnId, message_id } = event.data;
  if (message_id === undefined) return;
  const index = batch.messages.findLastIndex((message) => message.id === message_id);
  const shown = batch.messages[index];
  const queued = before.queue.find((message) => message.message_id === message_id);
  if (shown) batch.ownMessages()[index] = { ...shown, turn_id: turnId };
  else if (queued) batch.ownMessages().push(userMessage(queued, turnId));
}

/** A result's text is shown only where the agent has said nothing else in the turn. */
export function addResult(batch: FoldBatch, event: SessionEventOf<"result">): void {
  if (event.subagent_id !== undefined) return;
  const { turn_id: turnId, text } = event.data;
  const isSilent = !batch.messages.some((message) => isSpoken(message, turnId));
  const index = messageFor(batch, event, turnId);
  if (isSilent && text !== undefined && text !== "") {
    const key = batch.nextKey(event.seq);
    pushBlock(batch.ownBlocks(index), {
      type: "text",
      key,
      message_id: `result-${turnId}`,
      text,
      ...attachedWithin(event, "/text", "/text"),
    });
  }
  batch.ownMessages()[index] = { ...batch.agentMessage(index), result: event.data };
}

/** The end of a turn: its messages are closed and nothing in them runs any more. */
export function endTurn(batch: FoldBatch, event: SessionEventOf<"done">): void {
  batch.isActivityStale = true;
  const { turn_id: turnId, stopped = false } = event.data;
  if (stopped) markStopped(batch, event, turnId);
  for (const index of messagesOfTurn(batch.messages, turnId)) {
    const message = batch.agentMessage(index);
    const blocks = settleBlocks(message.blocks);
    batch.ownMessages()[index] = { ...message, blocks, done: true, ended_at: event.ts };
  }
}

/** Takes back a turn and all after it; what was said since and still waits for its turn stays. */
export function rollBack(batch: FoldBatch, event: SessionEventOf<"rolled_back">): void {
  const first = batch.messages.findIndex((message) => message.turn_id === event.data.turn_id);
  if (first < 0) return;
  batch.isActivityStale = true;
  const waiting = new Set(batch.control.queue.map((message) => message.message_id));
  batch.messages = batch.messages.filter(
    (message, index) => index < first || (message.role === "user" && waiting.has(message.id)),
  );
}

function markStopped(batch: FoldBatch, event: SessionEvent, turnId: string): void {
  const index = messageFor(batch, event, turnId);
  batch.ownMessages()[index] = { ...batch.agentMessage(index), stopped: true };
}

function isSpoken(message: Message, turnId: string): message is AgentMessage {
  return (
    message.role === "agent" &&
    message.turn_id === turnId &&
    message.blocks.some((block) => block.type === "text" && block.text !== "")
  );
}

function userMessage(said: QueuedMessage, turnId: string | undefined): UserMessage {
  return {
    role: "user",
    id: said.message_id,
    seq: said.seq,
    ts: said.ts,
    content: said.content,
    delivery: said.delivery,
    ...(turnId !== undefined && { turn_id: turnId }),
    ...(said.client_message_id !== undefined && { client_message_id: said.client_message_id }),
    ...(said.callback !== undefined && { callback: said.callback }),
    ...(said.by !== undefined && { by: said.by }),
    ...attached(said),
  };
}

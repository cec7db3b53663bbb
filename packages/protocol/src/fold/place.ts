import type { SessionEvent } from "../event/event.ts";
import type { Block } from "../state/block.ts";
import type { AgentMessage, Message } from "../state/state.ts";
import type { BlockPath, FoldBatch } from "./fold-batch.ts";

/** The list an event's block belongs to: its turn's message, or its sub-agent's part of it. */
export function ownBlocksFor(batch: FoldBatch, event: SessionEvent): Block[] {
  if (event.subagent_id === undefined) return batch.ownBlocks(messageFor(batch, event));
  return ownSubagentBlocks(batch, event, event.subagent_id);
}

/**
 * The index of the agent message an event belongs to, opened where there is none.
 * Events after a turn's end stay under that turn.
 */
export function messageFor(batch: FoldBatch, event: SessionEvent, eventTurnId?: string): number {
  const runningId = batch.control.turn?.turn_id;
  const turnId = eventTurnId ?? event.turn_id ?? runningId;
  const { messages } = batch;
  const last = messages.length - 1;
  if (isOpen(messages[last]) && messages[last]?.turn_id === turnId) return last;
  if (turnId !== undefined && turnId !== runningId) {
    const late = messages.findLastIndex((message) => message.turn_id === turnId);
    if (late >= 0) return messageOfEndedTurn(batch, event, late);
  }
  closeOpenMessage(batch);
  batch.ownMessages().push(newMessage(event, { turnId, done: false }));
  return last + 1;
}

/**
 * The indexes of the agent's messages of a turn, newest first. What came late for another turn may
 * stand between them; the search ends at the message that the turn answers.
 */
export function messagesOfTurn(messages: readonly Message[], turnId: string | undefined): number[] {
  const indexes: number[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "agent") {
      if (message.turn_id === turnId) indexes.push(index);
      continue;
    }
    const isOfTurn = message?.turn_id === turnId;
    const isBeginning = isOfTurn && turnId !== undefined && message?.delivery !== "steer";
    if (isBeginning || (!isOfTurn && indexes.length > 0)) break;
  }
  return indexes;
}

/** Closes the message that is being written, if any: the next block opens another. */
export function closeOpenMessage(batch: FoldBatch): void {
  const last = batch.messages.length - 1;
  const message = batch.messages[last];
  if (isOpen(message)) batch.ownMessages()[last] = { ...message, done: true };
}

/** Adds a block at the end; what was being thought before it is thought through. */
export function pushBlock(blocks: Block[], block: Block): void {
  const last = blocks.at(-1);
  if (last?.type === "thinking" && !last.done) blocks[blocks.length - 1] = { ...last, done: true };
  blocks.push(block);
}

/** The newest block that matches, wherever it is; also under sub-agents. */
export function findBlock(
  batch: FoldBatch,
  matches: (block: Block) => boolean,
): BlockPath | undefined {
  for (let message = batch.messages.length - 1; message >= 0; message--) {
    const candidate = batch.messages[message];
    if (candidate?.role !== "agent") continue;
    const indexes = findIn(candidate.blocks, matches);
    if (indexes) return { message, indexes };
  }
  return undefined;
}

/** The block at a path, to be read. */
export function blockAt(batch: FoldBatch, path: BlockPath): Block | undefined {
  let blocks: readonly Block[] = batch.agentMessage(path.message).blocks;
  let found: Block | undefined;
  for (const index of path.indexes) {
    found = blocks[index];
    blocks = found?.type === "subagent" ? found.blocks : [];
  }
  return found;
}

/** Replaces the newest block that matches; answers whether there was one. */
export function replaceBlock(
  batch: FoldBatch,
  matches: (block: Block) => boolean,
  replacement: (block: Block) => Block,
): boolean {
  const path = findBlock(batch, matches);
  if (!path) return false;
  const blocks = batch.ownBlocksAround(path);
  const index = path.indexes.at(-1) ?? -1;
  const block = blocks[index];
  if (block) blocks[index] = replacement(block);
  return true;
}

function isOpen(message: Message | undefined): message is AgentMessage {
  return message?.role === "agent" && !message.done;
}

function messageOfEndedTurn(batch: FoldBatch, event: SessionEvent, index: number): number {
  const message = batch.messages[index];
  if (message?.role === "agent") return index;
  const added = newMessage(event, { turnId: message?.turn_id, done: true });
  batch.ownMessages().splice(index + 1, 0, added);
  return index + 1;
}

function newMessage(
  event: SessionEvent,
  { turnId, done }: { turnId: string | undefined; done: boolean },
): AgentMessage {
  const { seq, ts } = event;
  const id = `agent-${seq}`;
  return turnId === undefined
    ? { role: "agent", id, seq, ts, blocks: [], done }
    : { role: "agent", id, seq, ts, turn_id: turnId, blocks: [], done };
}

/** A sub-agent whose spawn was never seen gets a block of its own. */
function ownSubagentBlocks(batch: FoldBatch, event: SessionEvent, subagentId: string): Block[] {
  const path = findBlock(
    batch,
    (block) => block.type === "subagent" && block.subagent_id === subagentId,
  );
  if (path) return batch.ownNestedBlocks(batch.ownBlocksAround(path), path.indexes.at(-1) ?? -1);
  const parent = batch.ownBlocks(messageFor(batch, event));
  pushBlock(parent, {
    type: "subagent",
    key: batch.nextKey(event.seq),
    subagent_id: subagentId,
    name: "sub-agent",
    status: "running",
    tool_calls: 0,
    file_changes: 0,
    blocks: [],
    started_at: event.ts,
  });
  batch.isActivityStale = true;
  return batch.ownNestedBlocks(parent, parent.length - 1);
}

function findIn(
  blocks: readonly Block[],
  matches: (block: Block) => boolean,
): number[] | undefined {
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    if (!block) continue;
    if (matches(block)) return [index];
    if (block.type !== "subagent") continue;
    const nested = findIn(block.blocks, matches);
    if (nested) return [index, ...nested];
  }
  return undefined;
}

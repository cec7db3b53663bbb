import { partText } from "../state/complete-message.ts";
import type { SessionEventOf } from "../event/event.ts";
import type { JsonObject } from "../json/json.ts";
import type { Block, TextBlock } from "../state/block.ts";
import { attachedWithin } from "./attached.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { messageFor, messagesOfTurn, ownBlocksFor, pushBlock, replaceBlock } from "./place.ts";

export function applyDelta(batch: FoldBatch, event: SessionEventOf<"delta">): void {
  const { message_id, text } = event.data;
  if (text === "") return;
  const blocks = ownBlocksFor(batch, event);
  const last = blocks[blocks.length - 1];
  const isContinued = last?.type === "text" && last.message_id === message_id;
  if (isContinued && last.attachments === undefined) {
    blocks[blocks.length - 1] = { type: "text", key: last.key, message_id, text: last.text + text };
  } else {
    pushBlock(blocks, { type: "text", key: batch.nextKey(event.seq), message_id, text });
  }
}

export function applyThinking(batch: FoldBatch, event: SessionEventOf<"thinking">): void {
  const { message_id, text, done = false } = event.data;
  if (text === "" && done) return endThinking(batch, message_id);
  const blocks = ownBlocksFor(batch, event);
  const last = blocks.at(-1);
  if (last?.type === "thinking" && last.message_id === message_id && !last.done) {
    blocks[blocks.length - 1] = { ...last, text: last.text + text, done };
  } else {
    pushBlock(blocks, { type: "thinking", key: batch.nextKey(event.seq), message_id, text, done });
  }
}

function endThinking(batch: FoldBatch, messageId: string): void {
  replaceBlock(
    batch,
    (block) => block.type === "thinking" && block.message_id === messageId && !block.done,
    (block) => (block.type === "thinking" ? { ...block, done: true } : block),
  );
}

/**
 * Adds what deltas did not deliver of a finished message, and nothing they did. Where its text is
 * stored beside the log, what was delivered cannot be compared with it: then that stands.
 */
export function completeMessage(batch: FoldBatch, event: SessionEventOf<"message_complete">): void {
  if (event.data.retracted === true) return retractMessage(batch, event);
  const { message_id, message } = event.data;
  const whole = message.content.map(partText).join("");
  const { delivered, ownBlocks } = deliveryOf(batch, event);
  if (delivered.includes(whole) || (delivered !== "" && hasStoredText(event))) return;
  const blocks = ownBlocks();
  let known = whole.startsWith(delivered) ? delivered.length : 0;
  for (const [index, part] of message.content.entries()) {
    const text = partText(part);
    const rest = text.slice(known);
    const isBegun = known > 0;
    known = Math.max(0, known - text.length);
    if (rest === "") continue;
    const at = isBegun
      ? blocks.findLastIndex((block) => textWithin(block, message_id) !== "") + 1
      : placeBeforeTools(blocks, message.content.slice(index + 1));
    insertText(blocks, at, {
      type: "text",
      key: batch.nextKey(event.seq),
      message_id,
      text: rest,
      ...attachedWithin(event, `/message/content/${index}/text`, "/text"),
    });
  }
}

function hasStoredText({ attachments = [] }: SessionEventOf<"message_complete">): boolean {
  return attachments.some(({ path }) => /^\/message\/content(\/\d+(\/text)?)?$/.test(path));
}

/** Takes away what was said and thought in a message that does not count. */
function retractMessage(batch: FoldBatch, event: SessionEventOf<"message_complete">): void {
  const { message_id: id } = event.data;
  if (event.subagent_id !== undefined) return dropSpeech(ownBlocksFor(batch, event), id);
  for (const index of messagesOfTurn(
    batch.messages,
    event.turn_id ?? batch.control.turn?.turn_id,
  )) {
    if (batch.agentMessage(index).blocks.some((block) => isSpeechOf(block, id))) {
      dropSpeech(batch.ownBlocks(index), id);
    }
  }
}

function dropSpeech(blocks: Block[], messageId: string): void {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block && isSpeechOf(block, messageId)) blocks.splice(index, 1);
  }
}

function isSpeechOf(block: Block, messageId: string): boolean {
  return (block.type === "text" || block.type === "thinking") && block.message_id === messageId;
}

interface Delivery {
  readonly delivered: string;
  /** Where the rest belongs: behind the text, also where a steering message has split it. */
  readonly ownBlocks: () => Block[];
}

function deliveryOf(batch: FoldBatch, event: SessionEventOf<"message_complete">): Delivery {
  const { message_id } = event.data;
  if (event.subagent_id !== undefined) {
    const blocks = ownBlocksFor(batch, event);
    return { delivered: textOfMessage(blocks, message_id), ownBlocks: () => blocks };
  }
  const turnId = event.turn_id ?? batch.control.turn?.turn_id;
  const indexes = messagesOfTurn(batch.messages, turnId);
  const texts = indexes.map((index) => textOfMessage(batch.agentMessage(index).blocks, message_id));
  const newest = indexes[texts.findIndex((text) => text !== "")];
  return {
    delivered: texts.toReversed().join(""),
    ownBlocks: () => batch.ownBlocks(newest ?? messageFor(batch, event)),
  };
}

function textOfMessage(blocks: readonly Block[], messageId: string): string {
  return blocks.map((block) => textWithin(block, messageId)).join("");
}

/** Text comes before the tools that follow it in the message, even when those were reported first. */
function placeBeforeTools(blocks: readonly Block[], following: readonly JsonObject[]): number {
  const toolIds = new Set(following.flatMap(({ type, id }) => (type === "tool_use" ? [id] : [])));
  const at = blocks.findIndex(
    (block) =>
      (block.type === "tool" && toolIds.has(block.tool_use_id)) ||
      (block.type === "subagent" && toolIds.has(block.subagent_id)),
  );
  return at < 0 ? blocks.length : at;
}

function insertText(blocks: Block[], at: number, text: TextBlock): void {
  const before = blocks[at - 1];
  const isOne = before?.type === "text" && before.message_id === text.message_id;
  if (isOne && !before.attachments && !text.attachments) {
    blocks[at - 1] = { ...before, text: before.text + text.text };
  } else if (at === blocks.length) {
    pushBlock(blocks, text);
  } else {
    blocks.splice(at, 0, text);
  }
}

function textWithin(block: Block, messageId: string): string {
  return block.type === "text" && block.message_id === messageId ? block.text : "";
}

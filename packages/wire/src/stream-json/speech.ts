import type {
  AgentMessage,
  Block,
  JsonValue,
  Message,
  SessionEvent,
  SessionState,
  SubagentBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
} from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { assistantLine, frameOf } from "./line.ts";

export type Speech = TextBlock | ThinkingBlock;

/** Where an event's blocks stand: those of its turn, or of its sub-agent. */
export interface Place {
  readonly blocks: readonly Block[];
  /** What the fold would add to, if it can be continued; undefined where it would open a new message. */
  readonly last: Block | undefined;
  /** The turn or the sub-agent has ended: readers that joined since have its blocks as finished. */
  readonly isSettled: boolean;
  readonly parentId: string | undefined;
}

export function placeOf(state: SessionState, event: SessionEvent): Place {
  const { subagent_id: parentId } = event;
  const runningId = state.turn?.turn_id;
  if (parentId !== undefined) {
    const found = findSubagent(state, parentId);
    const { block, isOver: isSettled } = found ?? { block: undefined, isOver: false };
    const blocks = block?.blocks ?? [];
    return { blocks, last: blocks.at(-1), isSettled, parentId };
  }
  const turnId = event.turn_id ?? runningId;
  const messages = agentMessagesOf(state.messages, turnId);
  const newest = messages.at(-1);
  const isSettled = turnId !== runningId;
  const isCurrent = newest === state.messages.at(-1) && newest?.done === false;
  const last = isSettled || isCurrent ? newest?.blocks.at(-1) : undefined;
  return { blocks: blocksOf(messages), last, isSettled, parentId };
}

/** All blocks of a turn outside its sub-agents. */
export function blocksOfTurn(state: SessionState, turnId: string | undefined): readonly Block[] {
  return blocksOf(agentMessagesOf(state.messages, turnId));
}

function blocksOf([only, ...more]: readonly AgentMessage[]): readonly Block[] {
  if (!only) return [];
  return more.length === 0 ? only.blocks : [only, ...more].flatMap((each) => each.blocks);
}

/** The agent's messages of a turn, found as the fold finds them: several where somebody steered it. */
function agentMessagesOf(
  messages: readonly Message[],
  turnId: string | undefined,
): readonly AgentMessage[] {
  const found: AgentMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    const isOfTurn = message?.turn_id === turnId;
    if (message?.role === "agent") {
      if (isOfTurn) found.unshift(message);
      continue;
    }
    const isBeginning = isOfTurn && turnId !== undefined && message?.delivery !== "steer";
    if (isBeginning || (!isOfTurn && found.length > 0)) break;
  }
  return found;
}

/** Sub-agents end with their turn; those that belong to none may continue at any time. */
export function canSubagentsContinue(state: SessionState, turnId: string | undefined): boolean {
  return turnId === undefined || turnId === state.turn?.turn_id;
}

interface FoundSubagent {
  readonly block: SubagentBlock;
  /** It, one around it, or its turn has ended. */
  readonly isOver: boolean;
}

function findSubagent(state: SessionState, id: string): FoundSubagent | undefined {
  for (let index = state.messages.length - 1; index >= 0; index -= 1) {
    const message = state.messages[index];
    if (message?.role !== "agent") continue;
    const found = subagentIn(message.blocks, id, !canSubagentsContinue(state, message.turn_id));
    if (found) return found;
  }
  return undefined;
}

function subagentIn(
  blocks: readonly Block[],
  id: string,
  isOverAround: boolean,
): FoundSubagent | undefined {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block?.type !== "subagent") continue;
    const isOver = isOverAround || block.status !== "running";
    const found =
      block.subagent_id === id ? { block, isOver } : subagentIn(block.blocks, id, isOver);
    if (found) return found;
  }
  return undefined;
}

export function isSpeech(block: Block): block is Speech {
  return block.type === "text" || block.type === "thinking";
}

export function isSpeechOf(messageId: string): (block: Block) => block is Speech {
  return (block): block is Speech => isSpeech(block) && block.message_id === messageId;
}

type Content = Speech | ToolBlock | SubagentBlock;

function isContent(block: Block): block is Content {
  return isSpeech(block) || block.type === "tool" || block.type === "subagent";
}

function isContentOf(messageId: string): (block: Block) => boolean {
  return (block) => isContent(block) && block.message_id === messageId;
}

/** Its input was streamed as it came: its message was known. */
export function isInputStreamed(block: Block): block is ToolBlock & { message_id: string } {
  return (
    block.type === "tool" && block.partial_input !== undefined && block.message_id !== undefined
  );
}

/** What was being said or thought, and has not been closed by anything after it. */
export function openSpeech(blocks: readonly Block[]): Speech | undefined {
  const last = blocks.findLast(
    (block) =>
      isContent(block) &&
      !(block.type === "tool" && block.status === "preparing" && !isInputStreamed(block)),
  );
  if (!last || !isSpeech(last) || (last.type === "thinking" && last.done)) return undefined;
  return last;
}

/** Whether something of a message was sent, and so its beginning. */
export function isBegun({ blocks }: Place, messageId: string): boolean {
  return blocks.some(isContentOf(messageId));
}

/** The index that the next block of a message gets, or that one of its blocks has. */
export function contentIndex({ blocks }: Place, messageId: string, block?: Block): number {
  const end = block ? blocks.indexOf(block) : blocks.length;
  return blocks.slice(0, end).filter(isContentOf(messageId)).length;
}

/** A line for one finished block. */
export function speechFrame(
  state: SessionState,
  parentId: string | undefined,
  block: Speech,
): Frame {
  const content: Record<string, JsonValue> =
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "thinking", thinking: block.text, signature: "" };
  const messageId = block.message_id;
  const line = assistantLine(state, { messageId, parentId, block: content });
  return frameOf(state, `block/${block.key}`, line);
}

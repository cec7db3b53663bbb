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
} from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { assistantLine, frameOf, modelOf } from "./line.ts";

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

function isContent(block: Block): boolean {
  return isSpeech(block) || block.type === "tool" || block.type === "subagent";
}

/** What was being said or thought in a message and has not been closed by anything after it. */
export function openSpeech(blocks: readonly Block[], messageId?: string): Speech | undefined {
  const last = blocks.findLast(
    (block) => isContent(block) && !(block.type === "tool" && block.status === "preparing"),
  );
  if (!last || !isSpeech(last) || (last.type === "thinking" && last.done)) return undefined;
  return messageId === undefined || last.message_id === messageId ? last : undefined;
}

/** The index that the next block of a message gets, or that one of its blocks has. */
export function contentIndex(place: Place, messageId: string, block?: Block): number {
  const { blocks } = place;
  const first = blocks.findIndex(isSpeechOf(messageId));
  if (first < 0) return 0;
  const end = block ? blocks.indexOf(block) : blocks.length;
  return blocks.slice(first, end).filter(isContent).length;
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

interface StreamIdentity {
  readonly identity: string;
  readonly parentId: string | undefined;
  readonly messageId: string;
}

/** Makes the events of the Messages API for one event of the log, numbered for their ids. */
export class StreamEvents {
  readonly #state: SessionState;
  readonly #identity: string;
  readonly #parentId: string | undefined;
  readonly #messageId: string;
  #count = 0;

  constructor(state: SessionState, { identity, parentId, messageId }: StreamIdentity) {
    this.#state = state;
    this.#identity = identity;
    this.#parentId = parentId;
    this.#messageId = messageId;
  }

  messageStart(): Frame {
    const message = {
      id: this.#messageId,
      type: "message",
      role: "assistant",
      model: modelOf(this.#state),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return this.#frame({ type: "message_start", message });
  }

  blockStart(index: number, type: Speech["type"]): Frame {
    const content_block =
      type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" };
    return this.#frame({ type: "content_block_start", index, content_block });
  }

  blockDelta(index: number, type: Speech["type"], text: string): Frame {
    const delta =
      type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    return this.#frame({ type: "content_block_delta", index, delta });
  }

  blockStop(index: number): Frame {
    return this.#frame({ type: "content_block_stop", index });
  }

  messageEnd(stopReason: string | null): Frame[] {
    const delta = { stop_reason: stopReason, stop_sequence: null };
    return [
      this.#frame({ type: "message_delta", delta, usage: { output_tokens: 0 } }),
      this.#frame({ type: "message_stop" }),
    ];
  }

  #frame(event: object): Frame {
    this.#count += 1;
    return frameOf(this.#state, `${this.#identity}/${this.#count}`, {
      type: "stream_event",
      event,
      parent_tool_use_id: this.#parentId ?? null,
      api_message_id: this.#messageId,
    });
  }
}

import type { Block, SubagentBlock } from "../state/block.ts";
import type {
  Activity,
  AgentMessage,
  Component,
  Control,
  Message,
  SessionState,
} from "../state/state.ts";

/** Where a block is: its message, then the indexes down through sub-agents. */
export interface BlockPath {
  readonly message: number;
  readonly indexes: readonly number[];
}

/**
 * A state being folded over one batch of events.
 * Each list is copied the first time the batch touches it and then written in place;
 * what the batch does not touch stays the very object it was in the state before.
 * Blocks and messages themselves are never written, only replaced.
 */
export class FoldBatch {
  control: Control;
  messages: readonly Message[];
  surfaces: SessionState["surfaces"];
  tasks: SessionState["tasks"];
  mcp: SessionState["mcp"];
  usage: SessionState["usage"];
  rateLimits: SessionState["rate_limits"];
  context: SessionState["context"];
  /** What the state before the batch did. */
  readonly activity: Activity;
  /** A turn, a request, a tool or a sub-agent changed: the activity must be worked out again. */
  isActivityStale = false;

  #ownSurfaces: Set<readonly Component[]> | undefined;
  #ownMessages: Message[] | undefined;
  #newestOwnBlocks: Block[] | undefined;
  #ownBlocks: Map<readonly Block[], Block[]> | undefined;
  #keySeq = 0;
  #keyCount = 0;

  constructor(state: SessionState) {
    this.control = state;
    this.messages = state.messages;
    this.surfaces = state.surfaces;
    this.tasks = state.tasks;
    this.mcp = state.mcp;
    this.usage = state.usage;
    this.rateLimits = state.rate_limits;
    this.context = state.context;
    this.activity = state.activity;
  }

  /** The components of a surface, to be written in place. */
  ownSurface(surface: keyof SessionState["surfaces"]): Component[] {
    const components = this.surfaces[surface];
    // Arrays in the set were made here.
    if (this.#ownSurfaces?.has(components)) return components as Component[];
    // A newer server may have surfaces that this build does not know.
    const copy = (components as readonly Component[] | undefined)?.slice() ?? [];
    this.#ownSurfaces ??= new Set();
    this.#ownSurfaces.add(copy);
    this.surfaces = { ...this.surfaces, [surface]: copy };
    return copy;
  }

  /** The messages, to be written in place. */
  ownMessages(): Message[] {
    if (this.messages !== this.#ownMessages) this.#ownMessages = this.messages.slice();
    this.messages = this.#ownMessages;
    return this.#ownMessages;
  }

  /** The blocks of an agent message, to be written in place. */
  ownBlocks(index: number): Block[] {
    const message = this.agentMessage(index);
    const blocks = this.own(message.blocks);
    if (blocks !== message.blocks) this.ownMessages()[index] = withBlocks(message, blocks);
    return blocks;
  }

  /** The list that holds the block at a path, to be written in place. */
  ownBlocksAround(path: BlockPath): Block[] {
    let blocks = this.ownBlocks(path.message);
    for (const index of path.indexes.slice(0, -1)) blocks = this.ownNestedBlocks(blocks, index);
    return blocks;
  }

  /** The blocks of the sub-agent at an index of an own list, to be written in place. */
  ownNestedBlocks(parent: Block[], index: number): Block[] {
    const block = subagentAt(parent, index);
    const blocks = this.own(block.blocks);
    if (blocks !== block.blocks) parent[index] = { ...block, blocks };
    return blocks;
  }

  /** The list itself if the batch made it, else a copy that counts as made by the batch. */
  own(blocks: readonly Block[]): Block[] {
    if (blocks === this.#newestOwnBlocks) return this.#newestOwnBlocks;
    const known = this.#ownBlocks?.get(blocks);
    if (known) return known;
    const copy = blocks.slice();
    if (this.#newestOwnBlocks) {
      this.#ownBlocks ??= new Map([[this.#newestOwnBlocks, this.#newestOwnBlocks]]);
      this.#ownBlocks.set(copy, copy);
    }
    this.#newestOwnBlocks = copy;
    return copy;
  }

  agentMessage(index: number): AgentMessage {
    const message = this.messages[index];
    if (message?.role !== "agent") throw new TypeError(`message ${index} is not the agent's`);
    return message;
  }

  /** A key that is unique in the session: the seq of the event that makes the block, counted where it makes several. */
  nextKey(seq: number): string {
    if (seq !== this.#keySeq) {
      this.#keySeq = seq;
      this.#keyCount = 0;
    }
    const count = this.#keyCount++;
    return count === 0 ? `b${seq}` : `b${seq}.${count}`;
  }
}

function subagentAt(blocks: readonly Block[], index: number): SubagentBlock {
  const block = blocks[index];
  if (block?.type !== "subagent") throw new TypeError(`block ${index} is not a sub-agent`);
  return block;
}

/** Written out field by field: a spread here would cost more than the rest of a delta. */
export function withBlocks(message: AgentMessage, blocks: readonly Block[]): AgentMessage {
  const { role, id, seq, ts, turn_id, done } = message;
  const hasMore =
    message.stopped !== undefined || message.result !== undefined || message.ended_at !== undefined;
  if (turn_id === undefined || hasMore) return { ...message, blocks };
  return { role, id, seq, ts, turn_id, blocks, done };
}

import type {
  AgentMessage,
  Block,
  Control,
  Message,
  SessionState,
  SubagentBlock,
} from "../state.ts";

/** Where a block is: its message, then the indexes down through sub-agents. */
export interface BlockPath {
  readonly message: number;
  readonly indexes: readonly number[];
}

/**
 * A state being folded over one batch of events.
 * Each container is copied the first time the batch touches it and then written in place;
 * what the batch does not touch stays the very object it was in the state before.
 * Blocks and messages themselves are never written, only replaced.
 */
export class Draft {
  control: Control;
  surfaces: SessionState["surfaces"];
  tasks: SessionState["tasks"];
  mcp: SessionState["mcp"];
  usage: SessionState["usage"];
  /** A turn, a request, a tool or a sub-agent changed: the activity must be worked out anew. */
  isActivityStale = false;

  readonly #base: SessionState;
  #messages: readonly Message[];
  #ownMessages: Message[] | undefined;
  #newestOwnBlocks: Block[] | undefined;
  #ownBlocks: Map<readonly Block[], Block[]> | undefined;
  #keySeq = 0;
  #keyCount = 0;

  constructor(base: SessionState) {
    this.#base = base;
    this.#messages = base.messages;
    this.control = base;
    this.surfaces = base.surfaces;
    this.tasks = base.tasks;
    this.mcp = base.mcp;
    this.usage = base.usage;
  }

  get base(): SessionState {
    return this.#base;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The messages, to be written in place. */
  ownMessages(): Message[] {
    if (!this.#ownMessages) {
      this.#ownMessages = this.#messages.slice();
      this.#messages = this.#ownMessages;
    }
    return this.#ownMessages;
  }

  setMessages(messages: Message[]): void {
    this.#ownMessages = messages;
    this.#messages = messages;
  }

  /** The blocks of an agent message, to be written in place. */
  ownBlocks(index: number): Block[] {
    const message = this.agentMessage(index);
    const own = this.#owned(message.blocks);
    if (own) return own;
    const blocks = this.#copy(message.blocks);
    this.ownMessages()[index] = withBlocks(message, blocks);
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
    const own = this.#owned(block.blocks);
    if (own) return own;
    const blocks = this.#copy(block.blocks);
    parent[index] = { ...block, blocks };
    return blocks;
  }

  agentMessage(index: number): AgentMessage {
    const message = this.#messages[index];
    if (message?.role !== "agent") throw new TypeError(`message ${index} is not the agent's`);
    return message;
  }

  /** A key nobody has: the seq of the event that makes the block, counted where it makes several. */
  nextKey(seq: number): string {
    if (seq !== this.#keySeq) {
      this.#keySeq = seq;
      this.#keyCount = 0;
    }
    const count = this.#keyCount++;
    return count === 0 ? `b${seq}` : `b${seq}.${count}`;
  }

  #owned(blocks: readonly Block[]): Block[] | undefined {
    return blocks === this.#newestOwnBlocks ? this.#newestOwnBlocks : this.#ownBlocks?.get(blocks);
  }

  #copy(blocks: readonly Block[]): Block[] {
    const copy = blocks.slice();
    if (this.#newestOwnBlocks) {
      this.#ownBlocks ??= new Map([[this.#newestOwnBlocks, this.#newestOwnBlocks]]);
      this.#ownBlocks.set(copy, copy);
    }
    this.#newestOwnBlocks = copy;
    return copy;
  }
}

function subagentAt(blocks: readonly Block[], index: number): SubagentBlock {
  const block = blocks[index];
  if (block?.type !== "subagent") throw new TypeError(`block ${index} is not a sub-agent`);
  return block;
}

function withBlocks(message: AgentMessage, blocks: readonly Block[]): AgentMessage {
  return { ...message, blocks };
}

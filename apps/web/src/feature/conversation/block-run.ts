import type { Block, ToolBlock } from "@turnwire/protocol";
import type { ToolView } from "@turnwire/react";

/** Blocks that are shown as one row: a single block, or consecutive tool calls with the ended requests for them. */
export interface BlockRun {
  readonly type: "block" | "tools";
  /** The key of its first block: it stays while the run grows. */
  readonly key: string;
  /** Blocks that show nothing belong to the run after them, or to the tools that they are among. */
  readonly start: number;
  readonly end: number;
  /** The first block that is shown. */
  readonly first: number;
}

/** How a tool call is shown among other blocks. */
export type ToolViewType = (block: ToolBlock, around: readonly Block[]) => Pick<ToolView, "type">;

/** Longer runs of tool calls are split, to bound the height of a row. */
const LONGEST_RUN = 50;

/** The runs of blocks from `start` on, in order; blocks at the end that show nothing are in none. */
export function blockRuns(blocks: readonly Block[], viewOf: ToolViewType, start = 0): BlockRun[] {
  const runs: BlockRun[] = [];
  const typeOf = (block: Block) => block.type === "tool" && viewOf(block, blocks).type;
  for (let index = start; index < blocks.length;) {
    let first = index;
    let block = blocks[first];
    while (block && typeOf(block) === "nothing") {
      first += 1;
      block = blocks[first];
    }
    if (!block) break;
    const isTool = block.type === "tool" && typeOf(block) === "tool";
    const end = isTool ? toolsEnd(blocks, first, typeOf) : first + 1;
    const key = blocks[index]?.key ?? block.key;
    runs.push({ type: isTool ? "tools" : "block", key, start: index, end, first });
    index = end;
  }
  return runs;
}

function toolsEnd(
  blocks: readonly Block[],
  start: number,
  typeOf: (block: Block) => ToolView["type"] | false,
): number {
  const tools = new Set<string>();
  let end = start;
  for (; end < start + LONGEST_RUN; end += 1) {
    const block = blocks[end];
    if (!block || typeOf(block) === "component") break;
    if (block.type === "tool") tools.add(block.tool_use_id);
    else if (!isSettled(block, tools)) break;
  }
  return end;
}

/** A request that has ended is shown with its tool. */
function isSettled(block: Block, tools: ReadonlySet<string>): boolean {
  if (block.type !== "permission" || block.status === "open") return false;
  const { tool_use_id: id } = block.request;
  return id !== undefined && tools.has(id);
}

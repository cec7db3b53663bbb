import type { Block } from "@turnwire/protocol";

/** Blocks that are shown as one row: a single block, or consecutive tool calls with the ended requests for them. */
export interface BlockRun {
  readonly type: "block" | "tools";
  /** The key of its first block: it stays while the run grows. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs of tool calls are split, to bound the height of a row. */
const LONGEST_RUN = 50;

/** The runs of blocks from `start` on, in order and without gaps. */
export function blockRuns(blocks: readonly Block[], start = 0): BlockRun[] {
  const runs: BlockRun[] = [];
  for (let index = start; index < blocks.length;) {
    const block = blocks[index];
    if (!block) break;
    const end = block.type === "tool" ? toolsEnd(blocks, index, block.tool_use_id) : index + 1;
    runs.push({
      type: block.type === "tool" ? "tools" : "block",
      key: block.key,
      start: index,
      end,
    });
    index = end;
  }
  return runs;
}

function toolsEnd(blocks: readonly Block[], start: number, first: string): number {
  const tools = new Set([first]);
  let end = start + 1;
  for (; end < start + LONGEST_RUN; end += 1) {
    const block = blocks[end];
    if (block?.type === "tool") tools.add(block.tool_use_id);
    else if (!block || !isSettled(block, tools)) break;
  }
  return end;
}

/** A request that has ended is shown with its tool. */
function isSettled(block: Block, tools: ReadonlySet<string>): boolean {
  if (block.type !== "permission" || block.status === "open") return false;
  const { tool_use_id: id } = block.request;
  return id !== undefined && tools.has(id);
}

import type { SessionEventOf } from "../event/event.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { ownBlocksFor, pushBlock, replaceBlock } from "./place.ts";

/** Puts a decision on the tool it is about; one that has not started yet gets its block now. */
export function decideTool(batch: FoldBatch, event: SessionEventOf<"policy_decision">): void {
  const { tool_use_id: id, tool, ...policy } = event.data;
  if (id === undefined) return;
  const isKnown = replaceBlock(
    batch,
    (block) =>
      (block.type === "tool" && block.tool_use_id === id) ||
      (block.type === "subagent" && block.subagent_id === id),
    (block) => (block.type === "tool" || block.type === "subagent" ? { ...block, policy } : block),
  );
  if (isKnown) return;
  batch.isActivityStale = true;
  pushBlock(ownBlocksFor(batch, event), {
    type: "tool",
    key: batch.nextKey(event.seq),
    tool_use_id: id,
    tool,
    status: "preparing",
    streamed: "",
    policy,
  });
}

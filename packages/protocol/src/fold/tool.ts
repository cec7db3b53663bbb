import type { SessionEventOf } from "../event/event.ts";
import type { Block, SubagentBlock, ToolBlock } from "../state/block.ts";
import { attached, attachedAfter } from "./attached.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { findBlock, ownBlocksFor, pushBlock, replaceBlock } from "./place.ts";
import { withInput } from "./tool-permission.ts";

export function applyToolInputDelta(
  batch: FoldBatch,
  event: SessionEventOf<"tool_input_delta">,
): void {
  const { tool_use_id, message_id, tool, ui_tool, partial_json } = event.data;
  const blocks = ownBlocksFor(batch, event);
  const index = blocks.findLastIndex((block) => isTool(block, tool_use_id));
  const block = blocks[index];
  if (block?.type !== "tool") {
    batch.isActivityStale = true;
    pushBlock(blocks, {
      type: "tool",
      key: batch.nextKey(event.seq),
      tool_use_id,
      ...(message_id !== undefined && { message_id }),
      tool,
      ...(ui_tool !== undefined && { ui_tool }),
      status: "preparing",
      partial_input: partial_json,
      streamed: "",
    });
  } else if (block.status === "preparing") {
    blocks[index] = { ...block, partial_input: (block.partial_input ?? "") + partial_json };
  }
}

export function startTool(batch: FoldBatch, event: SessionEventOf<"tool_start">): void {
  batch.isActivityStale = true;
  if (event.data.subagent_spawn === true) spawnSubagent(batch, event);
  else putTool(batch, event);
  recount(batch, event.subagent_id);
}

export function applyToolOutput(batch: FoldBatch, event: SessionEventOf<"tool_output">): void {
  const { tool_use_id, text } = event.data;
  replaceBlock(
    batch,
    (block) => isTool(block, tool_use_id),
    (block) =>
      block.type === "tool" ? { ...block, streamed: newestOutput(block.streamed + text) } : block,
  );
}

/** How much streamed output a state holds at most, in UTF-16 units; beyond it the older half goes. */
const MAX_STREAMED_LENGTH = 512 * 1024;

/** A command may print for hours: its log has everything, the state only what is newest. */
function newestOutput(streamed: string): string {
  if (streamed.length <= MAX_STREAMED_LENGTH) return streamed;
  const newest = streamed.slice(-MAX_STREAMED_LENGTH / 2);
  // Not half of a surrogate pair.
  return `…${/^[\udc00-\udfff]/.test(newest) ? newest.slice(1) : newest}`;
}

export function finishTool(batch: FoldBatch, event: SessionEventOf<"tool_result">): void {
  const { tool_use_id } = event.data;
  const isKnown = replaceBlock(
    batch,
    (block) => isTool(block, tool_use_id) || isSubagent(block, tool_use_id),
    (block) => {
      if (block.type === "tool") return finishedTool(block, event);
      return block.type === "subagent" ? finishedSubagent(block, event) : block;
    },
  );
  if (!isKnown) return;
  batch.isActivityStale = true;
  recount(batch, event.subagent_id);
}

/** Tools and sub-agents that still run when their turn is over will not end any more, and thinking is complete. */
export function settleBlocks(blocks: readonly Block[]): readonly Block[] {
  const settled = blocks.map(settleBlock);
  return settled.every((block, index) => block === blocks[index]) ? blocks : settled;
}

function settleBlock(block: Block): Block {
  if (block.type === "thinking") return block.done ? block : { ...block, done: true };
  if (block.type === "tool") {
    const isActive = block.status === "running" || block.status === "preparing";
    return isActive ? { ...block, status: "abandoned" } : block;
  }
  if (block.type !== "subagent") return block;
  const blocks = settleBlocks(block.blocks);
  const status = block.status === "running" ? "abandoned" : block.status;
  return blocks === block.blocks && status === block.status ? block : { ...block, status, blocks };
}

function putTool(batch: FoldBatch, event: SessionEventOf<"tool_start">): void {
  const { tool_use_id } = event.data;
  const blocks = ownBlocksFor(batch, event);
  const index = blocks.findLastIndex((block) => isTool(block, tool_use_id));
  const block = blocks[index];
  if (block?.type === "tool") blocks[index] = startedTool(block, event);
  else pushBlock(blocks, startedTool(newTool(batch, event), event));
}

function newTool(batch: FoldBatch, event: SessionEventOf<"tool_start">): ToolBlock {
  const { tool_use_id, message_id, tool } = event.data;
  const key = batch.nextKey(event.seq);
  return { type: "tool", key, tool_use_id, message_id, tool, status: "preparing", streamed: "" };
}

function startedTool(block: ToolBlock, event: SessionEventOf<"tool_start">): ToolBlock {
  const { partial_input: _streamed, attachments, ...known } = block;
  const { data } = event;
  const { ui_tool, input, command, file_path, pattern, search_path, is_file_read } = data;
  const started: ToolBlock = {
    ...known,
    tool: data.tool,
    status: block.status === "preparing" ? "running" : block.status,
    started_at: block.started_at ?? event.ts,
    ...(ui_tool !== undefined && { ui_tool }),
    ...(input !== undefined && { input }),
    ...(command !== undefined && { command }),
    ...(file_path !== undefined && { file_path }),
    ...(pattern !== undefined && { pattern }),
    ...(search_path !== undefined && { search_path }),
    ...(is_file_read !== undefined && { is_file_read }),
    ...attachedAfter(attachments, { fields: data, ...attached(event) }),
  };
  // It may have been allowed with another input while it was still being prepared.
  const original = block.permission?.original_input;
  const isEdited = original !== undefined && block.input !== undefined;
  return isEdited ? withInput(started, original, block.input) : started;
}

function finishedTool(block: ToolBlock, event: SessionEventOf<"tool_result">): ToolBlock {
  const { attachments, ...known } = block;
  const { data } = event;
  const { output, exit_code, file_path, is_file_read, diff } = data;
  const duration_ms = data.duration_ms ?? timeBetween(block.started_at, event.ts);
  return {
    ...known,
    status: data.is_error ? "failed" : "done",
    output,
    ...(exit_code !== undefined && { exit_code }),
    ...(file_path !== undefined && { file_path }),
    ...(is_file_read !== undefined && { is_file_read }),
    ...(duration_ms !== undefined && { duration_ms }),
    ...(diff !== undefined && { diff }),
    ...attachedAfter(attachments, { fields: data, ...attached(event) }),
  };
}

/** In milliseconds; undefined where a time is not known. */
function timeBetween(start: string | undefined, end: string): number | undefined {
  const time = start === undefined ? Number.NaN : Date.parse(end) - Date.parse(start);
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

/** The spawn takes the place of the tool that was being prepared, or names a sub-agent heard of before. */
function spawnSubagent(batch: FoldBatch, event: SessionEventOf<"tool_start">): void {
  const { tool_use_id, message_id, tool, subagent_name } = event.data;
  const name = subagent_name ?? tool;
  const isHeardOf = replaceBlock(
    batch,
    (block) => isSubagent(block, tool_use_id),
    (block) => (block.type === "subagent" ? { ...block, name } : block),
  );
  if (isHeardOf) return;
  const blocks = ownBlocksFor(batch, event);
  const index = blocks.findLastIndex((block) => isTool(block, tool_use_id));
  const prepared = blocks[index];
  const known = prepared?.type === "tool" ? prepared.message_id : message_id;
  const spawned: SubagentBlock = {
    type: "subagent",
    key: prepared?.key ?? batch.nextKey(event.seq),
    subagent_id: tool_use_id,
    ...(known !== undefined && { message_id: known }),
    name,
    status: "running",
    tool_calls: 0,
    file_changes: 0,
    blocks: [],
    started_at: event.ts,
    ...(prepared?.type === "tool" && prepared.policy && { policy: prepared.policy }),
  };
  if (prepared) blocks[index] = spawned;
  else pushBlock(blocks, spawned);
}

function finishedSubagent(
  block: SubagentBlock,
  event: SessionEventOf<"tool_result">,
): SubagentBlock {
  const { output, is_error } = event.data;
  const status = is_error ? "failed" : "completed";
  return { ...block, status, output, completed_at: event.ts, ...attached(event) };
}

function recount(batch: FoldBatch, subagentId: string | undefined): void {
  if (subagentId === undefined) return;
  const path = findBlock(batch, (block) => isSubagent(block, subagentId));
  if (!path) return;
  const blocks = batch.ownBlocksAround(path);
  const index = path.indexes.at(-1) ?? -1;
  const block = blocks[index];
  if (block?.type !== "subagent") return;
  const tool_calls = block.blocks.filter(isStarted).length;
  const file_changes = block.blocks.filter(isFileChange).length;
  blocks[index] = { ...block, tool_calls, file_changes };
}

function isStarted(block: Block): boolean {
  return block.type === "subagent" || (block.type === "tool" && block.status !== "preparing");
}

function isFileChange(block: Block): boolean {
  return (
    block.type === "tool" &&
    block.status === "done" &&
    block.file_path !== undefined &&
    block.is_file_read !== true
  );
}

function isTool(block: Block, toolUseId: string): boolean {
  return block.type === "tool" && block.tool_use_id === toolUseId;
}

function isSubagent(block: Block, subagentId: string): boolean {
  return block.type === "subagent" && block.subagent_id === subagentId;
}

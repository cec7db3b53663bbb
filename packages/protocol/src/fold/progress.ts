import type { EventData, SessionEvent, SessionEventOf } from "../event/event.ts";
import type { Block, NoticeBlock } from "../state/block.ts";
import type { SessionState, TaskState } from "../state/state.ts";
import { attached, attachedAfter, attachedWithin } from "./attached.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { ownBlocksFor, pushBlock } from "./place.ts";

/** A turn has one plan, which changes in place. */
export function updatePlan(batch: FoldBatch, event: SessionEventOf<"plan">): void {
  const { steps, explanation } = event.data;
  putOne(batch, event, (key) => ({
    type: "plan",
    key,
    steps,
    ...(explanation !== undefined && { explanation }),
    ...attached(event),
  }));
}

/** A turn has one diff, which changes in place. */
export function updateDiff(batch: FoldBatch, event: SessionEventOf<"diff">): void {
  const { unified } = event.data;
  putOne(batch, event, (key) => ({ type: "diff", key, unified, ...attached(event) }));
}

export function addNotice(
  batch: FoldBatch,
  event: SessionEvent,
  notice: EventData<"notice">,
): void {
  const { level, text, notice_id } = notice;
  const blocks = ownBlocksFor(batch, event);
  const last = blocks.at(-1);
  const isReplaced =
    notice_id !== undefined && last?.type === "notice" && last.notice_id === notice_id;
  const block: NoticeBlock = {
    type: "notice",
    key: isReplaced ? last.key : batch.nextKey(event.seq),
    level,
    text,
    ...(notice_id !== undefined && { notice_id }),
    ...attachedWithin(event, "/text", "/text"),
  };
  if (isReplaced) blocks[blocks.length - 1] = block;
  else pushBlock(blocks, block);
}

export function addError(batch: FoldBatch, event: SessionEventOf<"error">): void {
  const key = batch.nextKey(event.seq);
  const { code, message, retryable } = event.data;
  pushBlock(ownBlocksFor(batch, event), {
    type: "error",
    key,
    code,
    message,
    retryable,
    ...attached(event),
  });
}

/** The text for people where a conversation was compacted. */
export function compactionNotice(data: EventData<"compacted">): EventData<"notice"> {
  const { tokens_before: before, tokens_after: after } = data;
  const figures =
    before !== undefined && after !== undefined ? ` (${before} → ${after} tokens)` : "";
  return { level: "info", text: `The conversation was compacted${figures}` };
}

/** Figures are totals as the runtime counts them: the newest of each stands. */
export function updateUsage(
  usage: SessionState["usage"],
  figures: EventData<"usage">,
): SessionState["usage"] {
  const reported = Object.entries(figures).filter(([, figure]) => figure !== undefined);
  return { ...usage, ...Object.fromEntries(reported) };
}

export function updateTask(
  tasks: SessionState["tasks"],
  event: SessionEventOf<"task">,
): SessionState["tasks"] {
  const { task_id, status, description, summary, tool_use_id } = event.data;
  const earlier = Object.hasOwn(tasks, task_id) ? tasks[task_id] : undefined;
  const { attachments: known, ...facts } = earlier ?? {};
  const task: TaskState = {
    ...facts,
    task_id,
    status,
    ...(description !== undefined && { description }),
    ...(summary !== undefined && { summary }),
    ...(tool_use_id !== undefined && { tool_use_id }),
    ...attachedAfter(known, { fields: event.data, ...attached(event) }),
  };
  return { ...tasks, [task_id]: task };
}

function putOne(batch: FoldBatch, event: SessionEvent, blockWith: (key: string) => Block): void {
  const blocks = ownBlocksFor(batch, event);
  const index = blocks.findIndex((block) => block.type === event.type);
  const earlier = blocks[index];
  if (earlier) blocks[index] = blockWith(earlier.key);
  else pushBlock(blocks, blockWith(batch.nextKey(event.seq)));
}

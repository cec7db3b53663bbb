import type { AgentMessage, Block, Message, UserMessage } from "@turnwire/protocol";
import { blockRuns, type BlockRun, type ToolViewType } from "./block-run.ts";
import { blockHeight, footerHeight, userHeight } from "./row-height.ts";

interface RowBase {
  /** Unique in the conversation and stable while the row is there. */
  readonly key: string;
  readonly messageId: string;
  /** The space above the row: that of a new message, a paragraph, or a list item. */
  readonly gap: "message" | "paragraph" | "line";
  /** The estimated height, until it is measured. */
  readonly height: number;
}

export interface UserRow extends RowBase {
  readonly type: "user";
}

export interface BlockRow extends RowBase {
  readonly type: "block" | "tools";
  /** Which blocks of the message. */
  readonly start: number;
  readonly end: number;
}

/** What a turn cost and what can be done with it, below the agent's message. */
export interface FooterRow extends RowBase {
  readonly type: "footer";
}

/** One row of the conversation's list; only rows in sight are mounted. */
export type Row = UserRow | BlockRow | FooterRow;

interface Part {
  readonly message: Message;
  readonly rows: readonly Row[];
}

/**
 * Answers with the rows of a conversation. What did not change is the same object as in the answer
 * before, the whole list too: text that grows changes no row.
 */
export function createOutline(
  viewOf: ToolViewType,
): (messages: readonly Message[]) => readonly Row[] {
  let parts: readonly Part[] = [];
  let rows: readonly Row[] = [];
  return (messages) => {
    const before = parts;
    parts = messages.map((message, index) => partOf(message, before[index], viewOf));
    const isSame =
      parts.length === before.length &&
      parts.every((part, index) => part.rows === before[index]?.rows);
    if (!isSame) rows = parts.flatMap((part) => part.rows);
    return rows;
  };
}

function partOf(message: Message, before: Part | undefined, viewOf: ToolViewType): Part {
  if (before?.message === message) return before;
  const known = before?.message.id === message.id ? before : undefined;
  const rows = message.role === "user" ? userRows(message) : agentRows(message, known, viewOf);
  return { message, rows: known && isSameRows(rows, known.rows) ? known.rows : rows };
}

function userRows(message: UserMessage): readonly Row[] {
  const { id } = message;
  return [{ type: "user", key: id, messageId: id, gap: "message", height: userHeight(message) }];
}

/** Rows of unchanged blocks are reused: a long turn costs no more than a short one. */
function agentRows(
  message: AgentMessage,
  before: Part | undefined,
  viewOf: ToolViewType,
): readonly Row[] {
  const { id: messageId, blocks } = message;
  const kept = before ? keptRows(blocks, before) : [];
  const start = kept.at(-1)?.end ?? 0;
  const added = blockRuns(blocks, viewOf, start).map((run, index): BlockRow => {
    const old = before?.rows[kept.length + index];
    // Estimated once: a growing text would be counted again with each word.
    const isOld = old?.key === run.key && run.type === "block";
    const { first, ...row } = run;
    const height = isOld ? old.height : blockHeight(blocks.slice(first, run.end), run.type);
    return { ...row, messageId, gap: gapBefore(blocks, run, viewOf), height };
  });
  return [...kept, ...added, footerRow(messageId)];
}

function footerRow(messageId: string): FooterRow {
  const key = `${messageId} end`;
  return { type: "footer", key, messageId, gap: "line", height: footerHeight };
}

/** The last row before a change may still grow, so it is built again. */
function keptRows(blocks: readonly Block[], { message, rows }: Part): readonly BlockRow[] {
  const old = message.role === "agent" ? message.blocks : [];
  let same = 0;
  while (same < old.length && old[same] === blocks[same]) same += 1;
  const blockRows = rows.flatMap((row) =>
    row.type === "block" || row.type === "tools" ? [row] : [],
  );
  const end = blockRows.findIndex((row) => row.end >= same);
  return blockRows.slice(0, Math.max(0, end));
}

const lineTypes: ReadonlySet<Block["type"]> = new Set(["thinking", "subagent", "notice"]);

function gapBefore(blocks: readonly Block[], run: BlockRun, viewOf: ToolViewType): Row["gap"] {
  // A run begins with what shows nothing, or right after what is shown.
  const above = blocks[run.start - 1];
  const below = blocks[run.first];
  if (!above || !below) return "message";
  const isLine = (block: Block): boolean =>
    block.type === "tool" ? viewOf(block, blocks).type !== "component" : isOneLine(block);
  return isLine(above) && isLine(below) ? "line" : "paragraph";
}

/** What takes one line: also what remains of a request. */
function isOneLine(block: Block): boolean {
  return lineTypes.has(block.type) || (block.type === "permission" && block.status !== "open");
}

function isSameRows(left: readonly Row[], right: readonly Row[]): boolean {
  return left.length === right.length && left.every((row, index) => isSameRow(row, right[index]));
}

function isSameRow(left: Row, right: Row | undefined): boolean {
  if (left === right) return true;
  if (!right || left.key !== right.key || left.type !== right.type) return false;
  if (left.type === "user" || left.type === "footer") return true;
  if (right.type === "user" || right.type === "footer") return false;
  return left.start === right.start && left.end === right.end && left.gap === right.gap;
}

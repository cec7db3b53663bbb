import type {
  Block,
  ErrorBlock,
  NoticeBlock,
  PlanBlock,
  PlanStep,
  RequestBlock,
  SubagentBlock,
  TextBlock,
  ThinkingBlock,
} from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { MarkdownText } from "../terminal/markdown.ts";
import { safeLine, safeText } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";
import { componentLines } from "./component-view.ts";
import { diffLines } from "./diff-view.ts";
import { amountText, durationText } from "../terminal/figure.ts";
import { askedLines, outcomeLines } from "./request-view.ts";
import { toolLines } from "./tool-view.ts";

/** Blocks that hold no other blocks; sub-agents are the transcript's business. */
export type LeafBlock = Exclude<Block, SubagentBlock>;

/** What of a block has been printed. */
export interface BlockProgress {
  /** The text of a block of words, as far as it is printed. */
  readonly markdown?: MarkdownText;
  /** The block as it was when it was last printed whole. */
  readonly printed?: Block;
}

export const unprinted: BlockProgress = {};

export interface BlockView {
  /** Final: to be printed now, once. */
  readonly lines: readonly string[];
  /** How the unfinished rest looks by now. */
  readonly live: readonly string[];
  readonly progress: BlockProgress;
}

export interface BlockViewOptions {
  readonly format: Format;
  /** Nothing more is expected of the block: something follows it, or its message is over. */
  readonly isOver: boolean;
  readonly isMessageOver: boolean;
}

function speech(
  block: TextBlock | ThinkingBlock,
  progress: BlockProgress,
  options: Pick<BlockViewOptions, "format" | "isOver">,
): BlockView {
  const markdown = progress.markdown ?? new MarkdownText();
  return { ...markdown.update(block.text, options), progress: { ...progress, markdown } };
}

/** Printed once it is settled, and again when it has changed since and is settled again. */
function whole(
  block: Block,
  progress: BlockProgress,
  { lines, isSettled }: { lines: () => string[]; isSettled: boolean },
): BlockView {
  if (progress.printed === block) return { lines: [], live: [], progress };
  if (!isSettled) return { lines: [], live: lines(), progress };
  return { lines: lines(), live: [], progress: { ...progress, printed: block } };
}

/** A request is printed when it is asked, its outcome when it ends. */
function request(block: RequestBlock, progress: BlockProgress, format: Format): BlockView {
  if (progress.printed === block) return { lines: [], live: [], progress };
  const asked = progress.printed ? [] : askedLines(block, format);
  const lines = [...asked, ...outcomeLines(block, format)];
  return { lines, live: [], progress: { ...progress, printed: block } };
}

function stepLine({ text, status }: PlanStep, format: Format): string[] {
  const { colors } = format;
  const marks = {
    completed: colors.green("☑"),
    in_progress: colors.yellow("▶"),
    pending: colors.dim("☐"),
  };
  const words = status === "completed" ? colors.dim(safeLine(text)) : safeLine(text);
  return wrap(words, format.width, { first: `  ${marks[status]} `, rest: "    " });
}

function planLines({ steps, explanation = "" }: PlanBlock, format: Format): string[] {
  const isShort = !explanation.trimEnd().includes("\n");
  const why = isShort && explanation !== "" ? format.colors.dim(`  ${safeLine(explanation)}`) : "";
  const lines = isShort ? [] : safeText(explanation.trimEnd()).split("\n");
  return [
    ...wrap(`${format.colors.bold("Plan")}${why}`, format.width),
    ...lines.flatMap((line) => wrap(line, format.width, { first: "  ", rest: "  " })),
    ...steps.flatMap((step) => stepLine(step, format)),
  ];
}

function noticeLines({ level, text }: NoticeBlock, { colors, width }: Format): string[] {
  const marks = { info: colors.blue("ℹ"), warning: colors.yellow("⚠"), error: colors.red("✗") };
  return wrap(safeLine(text), width, { first: `${marks[level]} `, rest: "  " });
}

function errorLines({ code, message }: ErrorBlock, { colors, width }: Format): string[] {
  return wrap(`${colors.red(safeLine(message))} ${colors.dim(`(${safeLine(code)})`)}`, width, {
    first: `${colors.red("✗")} `,
    rest: "  ",
  });
}

/** What a block adds to the screen since it was last looked at. */
export function viewBlock(
  block: LeafBlock,
  progress: BlockProgress,
  options: BlockViewOptions,
): BlockView {
  const { format, isOver, isMessageOver } = options;
  // What changes often is printed once when it appears, and as it was in the end.
  const isSettled = progress.printed ? isMessageOver : isOver;
  switch (block.type) {
    case "text":
      return speech(block, progress, options);
    case "thinking": {
      const view = speech(block, progress, { format, isOver: isOver || block.done });
      const mark = format.colors.isColorSupported ? "" : "┊ ";
      const dimmed = (lines: readonly string[]) =>
        lines.map((line) => format.colors.dim(`${mark}${line}`));
      return { ...view, lines: dimmed(view.lines), live: dimmed(view.live) };
    }
    case "tool": {
      const isRunning = block.status === "preparing" || block.status === "running";
      return whole(block, progress, {
        lines: () => toolLines(block, format),
        isSettled: !isRunning,
      });
    }
    case "plan":
      return whole(block, progress, { lines: () => planLines(block, format), isSettled: isOver });
    case "component":
      return whole(block, progress, { lines: () => componentLines(block, format), isSettled });
    case "diff":
      return whole(block, progress, { lines: () => diffLines(block.unified, format), isSettled });
    case "notice": {
      // One that counts is printed when it has counted to its end.
      const isCounting = block.notice_id !== undefined && !isOver;
      return whole(block, progress, {
        lines: () => noticeLines(block, format),
        isSettled: !isCounting,
      });
    }
    case "error":
      return whole(block, progress, { lines: () => errorLines(block, format), isSettled: true });
    default:
      return request(block, progress, format);
  }
}

/** The line above what a sub-agent does. */
export function subagentHeading({ name }: SubagentBlock, { colors }: Format): string {
  return `${colors.magenta("◆")} ${colors.bold(safeLine(name))}`;
}

/** The line under what a sub-agent did; nothing while it works. */
export function subagentEnd(block: SubagentBlock, { colors }: Format): string | undefined {
  if (block.status === "running") return undefined;
  const mark = {
    completed: colors.green("◆"),
    failed: colors.red("✗"),
    abandoned: colors.dim("◇"),
  };
  const facts = [
    block.status,
    block.tool_calls > 0 ? amountText(block.tool_calls, "tool") : "",
    block.file_changes > 0 ? `${amountText(block.file_changes, "file")} changed` : "",
    block.completed_at === undefined
      ? ""
      : durationText(Date.parse(block.completed_at) - Date.parse(block.started_at)),
  ].filter(Boolean);
  return `${mark[block.status]} ${colors.bold(safeLine(block.name))} ${colors.dim(facts.join(" · "))}`;
}

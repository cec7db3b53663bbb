import type { Format } from "./format.ts";
import { indented } from "./format.ts";
import { inlineMarkdown } from "./inline.ts";
import { safeLine } from "./safe-text.ts";
import { type Alignment, tableLines } from "./table.ts";
import { wrap } from "./wrap.ts";

/**
 * Markdown for a terminal, one source line at a time: a complete line gives its final lines at once and is never
 * touched again, so the text looks the same however it was cut on its way here. Only tables wait for their end.
 */
interface MarkdownState {
  readonly fence: Fence | null;
  /** Source lines that are, or may become, a table. */
  readonly table: readonly string[];
  readonly isAfterBlank: boolean;
}

interface Fence {
  readonly marker: string;
  readonly indent: number;
  readonly language: string;
}

type Step = readonly [MarkdownState, readonly string[]];

const initialMarkdown: MarkdownState = { fence: null, table: [], isAfterBlank: true };

const fencePattern = /^(\s*)(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const headingPattern = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const rulePattern = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const quotePattern = /^ {0,3}> ?(.*)$/;
const itemPattern = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const tableRowPattern = /^\s*\|.*\S|\S\s*\|\s*\S/;
const tableRulePattern = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const CODE_INDENT = "  ";
const RULE_WIDTH = 40;
const LONGEST_PREVIEW = 4000;

function codeLine(fence: Fence, line: string, { colors }: Format): string {
  const leading = line.length - line.trimStart().length;
  const code = safeLine(line.slice(Math.min(fence.indent, leading)));
  const text = " ".repeat(fence.indent) + CODE_INDENT + code;
  if (!colors.isColorSupported) return text;
  if (fence.language === "diff") {
    if (code.startsWith("+")) return colors.green(text);
    if (code.startsWith("-")) return colors.red(text);
  }
  return colors.cyan(text);
}

function closesFence(fence: Fence, line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= fence.marker.length &&
    trimmed === trimmed.charAt(0).repeat(trimmed.length)
    ? trimmed.startsWith(fence.marker)
    : false;
}

function cellsFromRow(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignmentFromRule(cell: string): Alignment {
  if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
  return "left";
}

function isTable([header, rule]: readonly string[]): boolean {
  if (header === undefined || rule === undefined || !tableRulePattern.test(rule)) return false;
  return rule.includes("-") && cellsFromRow(header).length === cellsFromRow(rule).length;
}

function linesFromTable(source: readonly string[], format: Format): string[] {
  if (!isTable(source)) return source.flatMap((line) => plainLine(line, format));
  const [header = [], rule = [], ...rows] = source.map(cellsFromRow);
  const style = (row: readonly string[]) => row.map((cell) => inlineMarkdown(cell, format));
  return tableLines(
    { header: style(header), rows: rows.map(style), alignments: rule.map(alignmentFromRule) },
    format,
  );
}

function headingLines(level: number, source: string, format: Format): string[] {
  const { colors } = format;
  if (!colors.isColorSupported) return [`${"#".repeat(level)} ${safeLine(source)}`];
  const text = inlineMarkdown(source, format);
  return wrap(colors.bold(level === 1 ? colors.underline(text) : text), format.width);
}

function itemLines([, indent = "", mark = "", task, text = ""]: RegExpMatchArray, format: Format) {
  const box = task === undefined ? "" : task === " " ? "☐ " : "☑ ";
  const bullet = /\d/.test(mark) ? mark : "•";
  const first = `${indent}${bullet} ${box}`;
  return wrap(inlineMarkdown(text, format), format.width, {
    first: `${indent}${format.colors.dim(bullet)} ${box}`,
    rest: " ".repeat(first.length),
  });
}

/** A line that needs no memory: everything but code and tables. */
function plainLine(line: string, format: Format): string[] {
  const heading = headingPattern.exec(line);
  if (heading) return headingLines(heading[1]?.length ?? 1, heading[2] ?? "", format);
  if (rulePattern.test(line)) {
    return [format.colors.dim("─".repeat(Math.min(RULE_WIDTH, format.width)))];
  }
  const quote = quotePattern.exec(line);
  if (quote) {
    const bar = format.colors.dim("│ ");
    return plainLine(quote[1] ?? "", indented(format, 2)).map((inner) => bar + inner);
  }
  const item = itemPattern.exec(line);
  if (item) return itemLines(item, format);
  const indent = /^\s*/.exec(line)?.[0].replaceAll("\t", "    ") ?? "";
  return wrap(inlineMarkdown(line.trim(), format), format.width, { first: indent });
}

function stepOutsideTable(state: MarkdownState, line: string, format: Format): Step {
  if (line.trim() === "") {
    return [{ ...state, isAfterBlank: true }, state.isAfterBlank ? [] : [""]];
  }
  const next = { ...state, isAfterBlank: false };
  const fence = fencePattern.exec(line);
  if (fence) {
    const [, indent = "", marker = "", language = ""] = fence;
    const label = `${indent}${CODE_INDENT}${format.colors.dim(safeLine(language))}`;
    return [
      { ...next, fence: { marker, indent: indent.length, language } },
      language ? [label] : [],
    ];
  }
  if (tableRowPattern.test(line) && !itemPattern.test(line) && !quotePattern.test(line)) {
    return [{ ...next, table: [line] }, []];
  }
  return [next, plainLine(line, format)];
}

/** Takes one complete source line; answers with the lines to print, which are final. */
function stepMarkdown(state: MarkdownState, line: string, format: Format): Step {
  if (state.fence) {
    if (closesFence(state.fence, line)) return [{ ...state, fence: null }, []];
    return [state, [codeLine(state.fence, line, format)]];
  }
  if (state.table.length === 0) return stepOutsideTable(state, line, format);
  const longer = [...state.table, line];
  if (isTable(longer) && line.includes("|")) return [{ ...state, table: longer }, []];
  const [next, lines] = stepOutsideTable({ ...state, table: [] }, line, format);
  return [next, [...linesFromTable(state.table, format), ...lines]];
}

/** What is still held back when the text is over. */
function endMarkdown(state: MarkdownState, format: Format): readonly string[] {
  return linesFromTable(state.table, format);
}

/** How far a growing text has been printed. */
export interface MarkdownProgress {
  readonly offset: number;
  readonly state: MarkdownState;
}

export const noMarkdown: MarkdownProgress = { offset: 0, state: initialMarkdown };

export interface MarkdownAdvance {
  readonly progress: MarkdownProgress;
  /** Final, to be printed once. */
  readonly lines: readonly string[];
  /** What the unfinished rest looks like by now. */
  readonly live: readonly string[];
}

/** As much of an unfinished line as a screen may show: it is looked at again with every word. */
function endOf(open: string): string {
  return open.length > LONGEST_PREVIEW ? `…${open.slice(-LONGEST_PREVIEW)}` : open;
}

/** Prints what a growing text has gained since `progress`; the last line is only final when the text is over. */
export function advanceMarkdown(
  progress: MarkdownProgress,
  text: string,
  { isOver, format }: { isOver: boolean; format: Format },
): MarkdownAdvance {
  const source = text.slice(progress.offset).split("\n");
  const open = isOver ? "" : (source.pop() ?? "");
  if (isOver && source.at(-1) === "") source.pop();
  let state = progress.state;
  const lines: string[] = [];
  for (const line of source) {
    const [next, printed] = stepMarkdown(state, line.replace(/\r$/, ""), format);
    state = next;
    lines.push(...printed);
  }
  if (isOver) {
    lines.push(...endMarkdown(state, format));
    return { progress: { offset: text.length, state: initialMarkdown }, lines, live: [] };
  }
  const [preview, shown] = open === "" ? [state, []] : stepMarkdown(state, endOf(open), format);
  return {
    progress: { offset: text.length - open.length, state },
    lines,
    live: [...shown, ...endMarkdown(preview, format)],
  };
}

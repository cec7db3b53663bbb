/**
 * Blocks of Markdown as lines of a terminal. Layout continues where it stopped: lines that cannot change any more
 * are laid out once, also inside of a list, quote or code block that is still growing; only tables wait for their end,
 * because each row may change the width of a column.
 */
import type {
  MarkdownBlock,
  MarkdownCodeBlock,
  MarkdownHeading,
  MarkdownInline,
  MarkdownList,
  MarkdownListItem,
  MarkdownQuote,
  MarkdownTable,
  MarkdownTableRow,
} from "@turnwire/markdown";
import { type Format, indented } from "./format.ts";
import { inlineEnd, inlineText } from "./markdown-inline.ts";
import { safeLine } from "./safe-text.ts";
import { tableLines } from "./table.ts";
import { wrap } from "./wrap.ts";

/** How much of a node is laid out. */
export interface LayoutProgress {
  /** Children that are laid out whole. */
  readonly children: number;
  /** Progress of the child after them, once it has any lines. */
  readonly inner?: LayoutProgress;
  /** Code: characters that are laid out. */
  readonly characters: number;
  /** A blank line stands before the next child. */
  readonly isBlankDue: boolean;
}

export const noProgress: LayoutProgress = { children: 0, characters: 0, isBlankDue: false };

interface Layout {
  readonly lines: readonly string[];
  readonly progress: LayoutProgress;
}

/** What is laid out: everything, only what is final, or everything in the short form of a preview. */
type LayoutExtent = "all" | "final" | "preview";

export interface LayoutOptions {
  readonly format: Format;
  readonly extent: LayoutExtent;
}

type Continue<Node> = (node: Node, progress: LayoutProgress, options: LayoutOptions) => Layout;

const CODE_INDENT = "  ";
const RULE_WIDTH = 40;
/** A preview shows the end of what has no end yet, as much as fits a screen. */
const LONGEST_PREVIEW = 4000;
const PREVIEW_ROWS = 100;

function codeLine(line: string, language: string | undefined, { colors }: Format): string {
  const text = CODE_INDENT + safeLine(line);
  if (language === "diff") {
    if (line.startsWith("+")) return colors.green(text);
    if (line.startsWith("-")) return colors.red(text);
  }
  return colors.cyan(text);
}

function layoutCode(
  { text, language }: MarkdownCodeBlock,
  progress: LayoutProgress,
  { format, extent }: LayoutOptions,
): Layout {
  const start = progress.characters;
  const end = extent === "final" ? text.lastIndexOf("\n") : text.length;
  const label =
    start === 0 && language !== undefined
      ? [CODE_INDENT + format.colors.dim(safeLine(language))]
      : [];
  if (end < start || text === "") return { lines: extent === "final" ? [] : label, progress };
  const code = text.slice(start, end).split("\n");
  return {
    lines: [...label, ...code.map((line) => codeLine(line, language, format))],
    progress: { ...progress, characters: end + 1 },
  };
}

function textLines(
  nodes: readonly MarkdownInline[],
  { format, extent }: LayoutOptions,
  style = (text: string) => text,
): string[] {
  const shown = extent === "preview" ? inlineEnd(nodes, LONGEST_PREVIEW) : nodes;
  return wrap(style(inlineText(shown, format)), format.width);
}

function headingLines({ level, children }: MarkdownHeading, options: LayoutOptions): string[] {
  const { colors, width } = options.format;
  if (!colors.isColorSupported) {
    const mark = `${"#".repeat(level)} `;
    const rest = " ".repeat(mark.length);
    return wrap(inlineText(children, options.format), width, { first: mark, rest });
  }
  return textLines(children, options, (text) =>
    colors.bold(level === 1 ? colors.underline(text) : text),
  );
}

function tableBlockLines(
  { header, rows, alignments }: MarkdownTable,
  { format, extent }: LayoutOptions,
): string[] {
  const cellTexts = ({ cells }: MarkdownTableRow) => cells.map((cell) => inlineText(cell, format));
  const shown = extent === "preview" ? rows.slice(-PREVIEW_ROWS) : rows;
  return tableLines({ header: cellTexts(header), rows: shown.map(cellTexts), alignments }, format);
}

/**
 * How many of the children of an open node are final. The last one is not; nor is the one before a table of which
 * only a header has come, because both may turn out to be one paragraph.
 */
function finalCount(children: readonly (MarkdownBlock | MarkdownListItem)[]): number {
  const last = children.at(-1);
  const isBareHeader = last?.type === "table" && last.rows.length === 0;
  return Math.max(0, children.length - (isBareHeader ? 2 : 1));
}

function within(progress: LayoutProgress, inner: Layout): LayoutProgress {
  return { ...progress, inner: inner.progress };
}

function layoutChildren<Node extends MarkdownBlock | MarkdownListItem>(
  children: readonly Node[],
  before: LayoutProgress,
  options: LayoutOptions & { readonly isSpaced: boolean; readonly layoutChild: Continue<Node> },
): Layout {
  const { format, extent, isSpaced, layoutChild } = options;
  const final = extent === "final" ? finalCount(children) : children.length;
  const lines: string[] = [];
  let progress = before;
  for (let index = before.children; index < children.length; index += 1) {
    const child = children[index];
    if (child === undefined) break;
    const isFinal = index < final;
    const layout = layoutChild(child, progress.inner ?? noProgress, {
      format,
      extent: isFinal && extent === "final" ? "all" : extent,
    });
    if (layout.lines.length > 0 && progress.isBlankDue && !progress.inner) lines.push("");
    lines.push(...layout.lines);
    if (!isFinal) {
      return { lines, progress: layout.lines.length > 0 ? within(progress, layout) : progress };
    }
    progress = { ...noProgress, children: index + 1, isBlankDue: isSpaced };
  }
  return { lines, progress };
}

function layoutQuote(
  { children }: MarkdownQuote,
  before: LayoutProgress,
  { format, extent }: LayoutOptions,
): Layout {
  const { lines, progress } = layoutBlocks(children, before, {
    format: indented(format, 2),
    extent,
  });
  const bar = format.colors.dim("│");
  return { lines: lines.map((line) => (line === "" ? bar : `${bar} ${line}`)), progress };
}

function layoutList(
  { items, start, isTight }: MarkdownList,
  before: LayoutProgress,
  options: LayoutOptions,
): Layout {
  let number = (start ?? 0) + before.children;
  const layoutItem: Continue<MarkdownListItem> = (item, progress, { format, extent }) => {
    const bullet = start === undefined ? "•" : `${number}.`;
    number += 1;
    const box = item.isChecked === undefined ? "" : item.isChecked ? "☑ " : "☐ ";
    const hang = " ".repeat(bullet.length + 1 + box.length);
    const layout = layoutChildren(item.children, progress, {
      format: indented(format, hang.length),
      extent,
      isSpaced: !isTight,
      layoutChild: layoutBlock,
    });
    const mark = `${format.colors.dim(bullet)} ${box}`;
    const isStart = progress === noProgress;
    if (isStart && layout.lines.length === 0 && extent !== "final") {
      return { lines: [mark.trimEnd()], progress };
    }
    const lines = layout.lines.map((line, index) => {
      if (isStart && index === 0) return mark + line;
      return line === "" ? "" : hang + line;
    });
    return { lines, progress: layout.progress };
  };
  return layoutChildren(items, before, { ...options, isSpaced: !isTight, layoutChild: layoutItem });
}

function layoutBlock(
  block: MarkdownBlock,
  progress: LayoutProgress,
  options: LayoutOptions,
): Layout {
  const { format, extent } = options;
  switch (block.type) {
    case "code_block":
      return layoutCode(block, progress, options);
    case "quote":
      return layoutQuote(block, progress, options);
    case "list":
      return layoutList(block, progress, options);
    case "paragraph":
      return { lines: extent === "final" ? [] : textLines(block.children, options), progress };
    case "heading":
      return { lines: extent === "final" ? [] : headingLines(block, options), progress };
    case "table":
      return { lines: extent === "final" ? [] : tableBlockLines(block, options), progress };
    case "rule": {
      const rule = format.colors.dim("─".repeat(Math.min(RULE_WIDTH, format.width)));
      return { lines: extent === "final" ? [] : [rule], progress };
    }
  }
}

/** The lines of blocks after `before`, as far as they are wanted. */
export function layoutBlocks(
  blocks: readonly MarkdownBlock[],
  before: LayoutProgress,
  options: LayoutOptions,
): Layout {
  return layoutChildren(blocks, before, { ...options, isSpaced: true, layoutChild: layoutBlock });
}

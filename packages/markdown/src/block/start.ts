import { maximumBlockDepth } from "../tree/limit.ts";
import { closeContainers, closeLeaf, textOfParagraph } from "./close.ts";
import { htmlKindFrom } from "../inline/html-start.ts";
import type { LineCursor } from "./line-cursor.ts";
import { canInterruptParagraph, type ListMarker, listMarkerFrom } from "./list-marker.ts";
import { type BlockState, parentOf } from "./open-block.ts";
import { trimSpace, trimSpaceEnd } from "../inline/space.ts";
import { alignmentsFrom, cellsFrom } from "./table-row.ts";

/** A line on its way: where it is read, how many containers it continues, whether it began one. */
export interface LinePlace {
  readonly cursor: LineCursor;
  matched: number;
  hasStarted: boolean;
}

/** A container lets the rest of the line start another block; a leaf has used it up. */
type Started = "container" | "leaf" | undefined;

const heading = /^(#{1,6})(?:[ \t]+|$)/;
const fence = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const underline = /^(?:=+|-+)[ \t]*$/;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;

/** Starts the block that the rest of the line begins with, if it begins with one. */
export function startBlock(state: BlockState, place: LinePlace): Started {
  const { cursor } = place;
  if (cursor.isBlank) return undefined;
  if (cursor.indent > 3) return startIndentedCode(state, place);
  const content = cursor.text.slice(cursor.contentOffset);
  switch (content[0]) {
    case ">":
      return startQuote(state, place);
    case "#":
      return startHeading(state, place, content);
    case "`":
    case "~":
      return startFence(state, place, content);
    case "<":
      return startHtml(state, place, content);
    default:
      return (
        underlineParagraph(state, place, content) ??
        startTable(state, place, content) ??
        startRule(state, place, content) ??
        startItem(state, place, content)
      );
  }
}

/** Closes what the line does not continue, so that a new block can stand there. */
export function makeRoom(state: BlockState, { matched }: LinePlace): void {
  closeContainers(state, matched);
  closeLeaf(state);
  if (state.containers.at(-1)?.type === "list") closeContainers(state, state.containers.length - 1);
  const parent = parentOf(state);
  const list = state.containers.at(-2);
  if (list?.type === "list" && parent.endsBlank && parent.children.length > 0) list.isTight = false;
}

/** The text of the paragraph that the line continues without laziness. */
function openParagraph(state: BlockState, place: LinePlace): string | undefined {
  const isWhole = place.matched === state.containers.length;
  return isWhole && state.leaf?.type === "paragraph" ? state.leaf.content : undefined;
}

function startIndentedCode(state: BlockState, place: LinePlace): Started {
  if (state.leaf?.type === "paragraph") return undefined;
  makeRoom(state, place);
  place.cursor.skipColumns(4);
  state.leaf = { type: "indented_code", text: place.cursor.rest, blankLines: "" };
  return "leaf";
}

/** Past `>` and one column of space after it. */
export function skipQuoteMarker(cursor: LineCursor): boolean {
  if (cursor.indent > 3 || cursor.text[cursor.contentOffset] !== ">") return false;
  cursor.skipIndent();
  cursor.skipCharacters(1);
  cursor.skipColumns(1);
  return true;
}

function startQuote(state: BlockState, place: LinePlace): Started {
  if (place.matched >= maximumBlockDepth) return undefined;
  makeRoom(state, place);
  skipQuoteMarker(place.cursor);
  state.containers.push({ type: "quote", children: [], endsBlank: false });
  return "container";
}

function startHeading(state: BlockState, place: LinePlace, content: string): Started {
  const found = heading.exec(content);
  if (found === null) return undefined;
  makeRoom(state, place);
  const text = trimSpaceEnd(content.slice(found[0].length));
  const end = endOfHeading(text);
  parentOf(state).children.push({
    type: "heading",
    level: found[1]?.length ?? 1,
    content: trimSpace(text.slice(0, end)),
    isOpen: state.isLineOpen,
  });
  return "leaf";
}

/** Number signs at the end, with a space before them, only close the heading. */
function endOfHeading(text: string): number {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || " \t".includes(text[end - 1] ?? "#") ? end : text.length;
}

function startFence(state: BlockState, place: LinePlace, content: string): Started {
  const found = fence.exec(content);
  if (found === null) return undefined;
  const { indent } = place.cursor;
  makeRoom(state, place);
  const marks = found[1] ?? found[3] ?? "";
  const info = trimSpace(found[2] ?? found[4] ?? "");
  const marker = marks.charAt(0);
  state.leaf = { type: "fence", marker, length: marks.length, indent, info, text: undefined };
  return "leaf";
}

function startHtml(state: BlockState, place: LinePlace, content: string): Started {
  const kind = htmlKindFrom(content, state.leaf?.type === "paragraph");
  if (kind === undefined) return undefined;
  makeRoom(state, place);
  state.leaf = { type: "html", text: place.cursor.rest, end: kind.end };
  if (kind.end?.test(content) === true) closeLeaf(state);
  return "leaf";
}

function underlineParagraph(state: BlockState, place: LinePlace, content: string): Started {
  const paragraph = openParagraph(state, place);
  if (paragraph === undefined || !underline.test(content)) return undefined;
  const text = textOfParagraph(state, paragraph);
  state.leaf = undefined;
  if (text === "") return undefined;
  const level = content.startsWith("=") ? 1 : 2;
  parentOf(state).children.push({ type: "heading", level, content: text });
  return "leaf";
}

function startTable(state: BlockState, place: LinePlace, content: string): Started {
  const paragraph = openParagraph(state, place);
  const alignments = paragraph === undefined ? undefined : alignmentsFrom(content);
  if (paragraph === undefined || alignments === undefined) return undefined;
  const headerStart = paragraph.lastIndexOf("\n") + 1;
  const cells = cellsFrom(paragraph.slice(headerStart));
  if (cells.length !== alignments.length) return undefined;
  state.leaf =
    headerStart === 0
      ? undefined
      : { type: "paragraph", content: paragraph.slice(0, headerStart - 1) };
  closeLeaf(state);
  state.leaf = { type: "table", alignments, header: { type: "table_row", cells }, rows: [] };
  return "leaf";
}

function startRule(state: BlockState, place: LinePlace, content: string): Started {
  if (!rule.test(content)) return undefined;
  makeRoom(state, place);
  parentOf(state).children.push({ type: "rule" });
  return "leaf";
}

function startItem(state: BlockState, place: LinePlace, content: string): Started {
  const marker = listMarkerFrom(content);
  if (marker === undefined || place.matched + 2 > maximumBlockDepth) return undefined;
  const isInParagraph = openParagraph(state, place) !== undefined;
  if (isInParagraph && !canInterruptParagraph(marker, content)) return undefined;
  openList(state, place, marker);
  const contentIndent = skipListMarker(place.cursor, marker);
  state.containers.push({ type: "list_item", contentIndent, children: [], endsBlank: false });
  return "container";
}

/** Leaves the list innermost that the marker belongs to: the open one or a new one. */
function openList(state: BlockState, place: LinePlace, marker: ListMarker): void {
  closeContainers(state, place.matched);
  const list = state.containers.at(-1);
  if (list?.type === "list" && list.marker.kind === marker.kind) {
    if (list.endsBlank && list.items.length > 0) list.isTight = false;
    return;
  }
  makeRoom(state, place);
  state.containers.push({ type: "list", marker, isTight: true, items: [], endsBlank: false });
}

/** Past the marker and the space after it; answers how far the item's lines are indented. */
function skipListMarker(cursor: LineCursor, marker: ListMarker): number {
  const { indent } = cursor;
  cursor.skipIndent();
  cursor.skipCharacters(marker.length);
  const space = cursor.indent;
  const padding = cursor.isBlank || space > 4 ? 1 : space;
  cursor.skipColumns(padding);
  return indent + marker.length + padding;
}

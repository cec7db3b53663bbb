/**
 * Blocks, line by line, as CommonMark's own strategy has it: a line first continues the open
 * containers, then may start new blocks, and what is left is text of the innermost leaf.
 * A line is looked at once; what it costs does not depend on how much came before it.
 */
import { closeContainers, closeLeaf } from "./close.ts";
import { LineCursor } from "./line-cursor.ts";
import {
  type BlockState,
  type OpenContainer,
  type OpenFence,
  type OpenIndentedCode,
} from "./open-block.ts";
import { type LinePlace, makeRoom, skipQuoteMarker, startBlock } from "./start.ts";
import { trimSpace } from "../inline/space.ts";
import { cellsFrom } from "./table-row.ts";

/** Adds one line, without its line end. */
export function addLine(state: BlockState, line: string): void {
  const cursor = new LineCursor(line);
  const matched = matchContainers(state, cursor);
  const isWhole = matched === state.containers.length;
  const place: LinePlace = { cursor, matched, hasStarted: false };
  if (!(isWhole && continueVerbatim(state, cursor)) && !startBlocks(state, place)) {
    if (cursor.isBlank && !place.hasStarted) return addBlank(state, place);
    if (!cursor.isBlank) addText(state, place);
  }
  for (const container of state.containers) container.endsBlank = false;
}

/** How many open containers the line continues. */
function matchContainers(state: BlockState, cursor: LineCursor): number {
  const { containers, leaf } = state;
  const broken = containers.findIndex((container, index) => {
    const isInnermost = index === containers.length - 1 && leaf === undefined;
    return !goesOn(container, cursor, isInnermost);
  });
  return broken === -1 ? containers.length : broken;
}

function goesOn(container: OpenContainer, cursor: LineCursor, isInnermost: boolean): boolean {
  switch (container.type) {
    case "quote":
      return skipQuoteMarker(cursor);
    case "list":
      return true;
    case "list_item":
      if (cursor.isBlank) return !(isInnermost && container.children.length === 0);
      if (cursor.indent < container.contentIndent) return false;
      cursor.skipColumns(container.contentIndent);
      return true;
  }
}

/** Lines of code and HTML are taken as they are; true when the line was one. */
function continueVerbatim(state: BlockState, cursor: LineCursor): boolean {
  const { leaf } = state;
  switch (leaf?.type) {
    case "fence":
      if (closesFence(leaf, cursor)) {
        closeLeaf(state);
      } else {
        cursor.skipColumns(leaf.indent);
        leaf.text = leaf.text === undefined ? cursor.rest : `${leaf.text}\n${cursor.rest}`;
      }
      return true;
    case "indented_code":
      return continueIndentedCode(leaf, cursor);
    case "html":
      if (leaf.end === undefined && cursor.isBlank) return false;
      leaf.text += `\n${cursor.rest}`;
      if (leaf.end?.test(cursor.rest) === true) closeLeaf(state);
      return true;
    default:
      return false;
  }
}

function continueIndentedCode(leaf: OpenIndentedCode, cursor: LineCursor): boolean {
  if (cursor.isBlank) {
    cursor.skipColumns(4);
    leaf.blankLines += `\n${cursor.rest}`;
    return false;
  }
  if (cursor.indent < 4) return false;
  cursor.skipColumns(4);
  leaf.text += `${leaf.blankLines}\n${cursor.rest}`;
  leaf.blankLines = "";
  return true;
}

function closesFence(fence: OpenFence, cursor: LineCursor): boolean {
  if (cursor.indent > 3) return false;
  const start = cursor.contentOffset;
  let end = start;
  while (cursor.text[end] === fence.marker) end += 1;
  return end - start >= fence.length && trimSpace(cursor.text.slice(end)) === "";
}

/** Starts what the line starts; true when that used the line up. */
function startBlocks(state: BlockState, place: LinePlace): boolean {
  for (;;) {
    const started = startBlock(state, place);
    if (started !== "container") return started === "leaf";
    place.hasStarted = true;
    place.matched = state.containers.length;
  }
}

function addBlank(state: BlockState, { matched }: LinePlace): void {
  closeContainers(state, matched);
  if (state.leaf?.type !== "indented_code") closeLeaf(state);
  const innermostQuote = state.containers.findLastIndex(({ type }) => type === "quote");
  for (const container of state.containers.slice(innermostQuote + 1)) container.endsBlank = true;
}

function addText(state: BlockState, place: LinePlace): void {
  const { leaf } = state;
  const content = place.cursor.text.slice(place.cursor.contentOffset);
  const isWhole = place.matched === state.containers.length;
  if (leaf?.type === "paragraph") {
    // Also where the line does not continue all containers: a paragraph may continue lazily.
    leaf.content += `\n${content}`;
  } else if (leaf?.type === "table" && isWhole) {
    const cells = cellsFrom(content).slice(0, leaf.alignments.length);
    leaf.rows.push({ type: "table_row", cells, isOpen: state.isLineOpen });
  } else {
    makeRoom(state, place);
    state.leaf = { type: "paragraph", content };
  }
}

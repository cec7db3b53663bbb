/**
 * What a text that is still being written looks like: markup of which only a part has come is
 * shown as what it will most likely be, or held back, but never flashes up as raw characters.
 */
import { maximumInlineLength } from "../tree/limit.ts";
import { closeContainers, closeLeaf, textOfParagraph } from "./close.ts";
import { type BlockState, parentOf } from "./open-block.ts";
import { cellsFrom } from "./table-row.ts";

const openMarker = /^(?:[-=*_+#~>|<]+|`{1,2}|\d{1,9}[.)])?[ \t]*$/;
const delimiterStart = /^\|?[ \t:|-]*$/;
const taskStart = /^\[[ xX]?\]?$/;
const definitionStart = /^\[[^\]]*\]:[ \t\n]*$/;

/** Whether a line of which this is the beginning could still become several things. */
export function isUndecided({ leaf }: BlockState, line: string): boolean {
  const content = line.replace(/^[ \t>]+/, "").slice(0, 64);
  if (leaf?.type === "fence")
    return content !== "" && content === leaf.marker.repeat(content.length);
  if (leaf?.type === "indented_code" || leaf?.type === "html") return false;
  if (leaf?.type === "paragraph" && delimiterStart.test(content)) return true;
  return openMarker.test(content);
}

/** Closes all blocks, the innermost in the shape of one whose end has not come. */
export function closeOpenEnd(state: BlockState): void {
  const { leaf } = state;
  if (leaf?.type === "paragraph") closeOpenParagraph(state, leaf.content);
  if (leaf?.type === "fence") {
    state.leaf = undefined;
    const { info, text = "" } = leaf;
    parentOf(state).children.push({ type: "code_block", info, text, isOpen: true });
  }
  closeLeaf(state);
  closeContainers(state, 0);
}

function closeOpenParagraph(state: BlockState, raw: string): void {
  state.leaf = undefined;
  const parent = parentOf(state);
  const content = raw.length > maximumInlineLength ? raw : textOfParagraph(state, raw);
  const isTask =
    parent.type === "list_item" && parent.children.length === 0 && taskStart.test(content);
  if (content === "" || isTask || definitionStart.test(content)) return;
  const headerStart = content.lastIndexOf("\n") + 1;
  const header = content.slice(headerStart);
  if (!header.startsWith("|")) {
    parent.children.push({ type: "paragraph", level: 0, content, isOpen: true });
    return;
  }
  if (headerStart > 0) {
    parent.children.push({
      type: "paragraph",
      level: 0,
      content: content.slice(0, headerStart - 1),
    });
  }
  const cells = cellsFrom(header);
  parent.children.push({
    type: "table",
    alignments: cells.map(() => undefined),
    header: { type: "table_row", cells, isOpen: true },
    rows: [],
  });
}

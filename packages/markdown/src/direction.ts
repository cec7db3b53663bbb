import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownListItem,
  MarkdownTableRow,
} from "./tree/node.ts";

/** Which way text runs. */
export type TextDirection = "ltr" | "rtl";

type Directed = MarkdownBlock | MarkdownInline | MarkdownListItem | MarkdownTableRow;

/** Letters of the scripts that run from right to left: Hebrew, Arabic, Syriac, Thaana, N’Ko and their extensions. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The direction of the first letter, as `dir="auto"` has it; undefined without any letter, where the direction is
 * that of what is around it. Browsers look past what has a direction of its own, so what holds other blocks needs this.
 */
export function directionOf(node: Directed | readonly Directed[]): TextDirection | undefined {
  if (isList(node)) return firstDirection(node);
  switch (node.type) {
    case "text":
    case "code":
      return directionOfText(node.text);
    case "paragraph":
    case "heading":
    case "quote":
    case "list_item":
    case "emphasis":
    case "strong":
    case "strikethrough":
    case "link":
      return firstDirection(node.children);
    case "list":
      return firstDirection(node.items);
    case "table":
      return firstDirection([node.header, ...node.rows]);
    case "table_row":
      return firstDirection(node.cells.flat());
    case "code_block":
    case "rule":
    case "break":
    case "image":
      return undefined;
  }
}

function isList(node: Directed | readonly Directed[]): node is readonly Directed[] {
  return Array.isArray(node);
}

function firstDirection(nodes: readonly Directed[]): TextDirection | undefined {
  for (const node of nodes) {
    const direction = directionOf(node);
    if (direction !== undefined) return direction;
  }
  return undefined;
}

function directionOfText(text: string): TextDirection | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

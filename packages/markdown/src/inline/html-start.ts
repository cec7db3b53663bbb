const blockTags =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";

const attribute = `\\s+[a-z_:][\\w:.-]*(?:\\s*=\\s*(?:[^"'=<>\`\\s]+|'[^']*'|"[^"]*"))?`;

/** A whole opening or closing tag, as source of an expression; shared with inline text. */
export const openTag = `<[a-z][a-z0-9-]*(?:${attribute})*\\s*/?>`;
export const closeTag = `</[a-z][a-z0-9-]*\\s*>`;

interface HtmlKind {
  readonly start: RegExp;
  /** Ends with the line that has this; without, at a blank line. */
  readonly end: RegExp | undefined;
}

/** CommonMark's seven ways in which HTML takes over whole lines. */
const kinds: readonly HtmlKind[] = [
  {
    start: /^<(?:script|pre|style|textarea)(?:\s|>|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
  },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(`^</?(?:${blockTags})(?:\\s|/?>|$)`, "i"), end: undefined },
];

const loneTag = new RegExp(`^(?:${openTag}|${closeTag})\\s*$`, "i");

/** The kind of HTML block that a line's content starts; a lone tag does not end a paragraph. */
export function htmlKindFrom(content: string, isInParagraph: boolean): HtmlKind | undefined {
  if (!content.startsWith("<")) return undefined;
  const kind = kinds.find(({ start }) => start.test(content));
  if (kind !== undefined || isInParagraph) return kind;
  return loneTag.test(content) ? { start: loneTag, end: undefined } : undefined;
}

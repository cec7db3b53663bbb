/** The kind of a token; a renderer makes a class of it, so that a page needs no inline styles. */
export type TokenKind =
  | "plain"
  | "keyword"
  | "string"
  | "comment"
  | "number"
  | "literal"
  | "function"
  | "type"
  | "variable"
  | "property"
  | "tag"
  | "operator"
  | "meta"
  | "heading"
  | "emphasis"
  | "link"
  | "addition"
  | "deletion";

/** Text of one kind, on one line. */
export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
}

/** The tokens of one line; an empty line has none. */
export type TokenLine = readonly Token[];

/** Code without colours. */
export function plainLines(code: string): readonly TokenLine[] {
  return code.split(/\r\n?|\n/).map((text) => (text === "" ? [] : [{ text, kind: "plain" }]));
}

/** The input of a renderer: a closed union without HTML, in which every URL has passed the URL rule. */
export type MarkdownBlock =
  | MarkdownParagraph
  | MarkdownHeading
  | MarkdownCodeBlock
  | MarkdownQuote
  | MarkdownList
  | MarkdownTable
  | MarkdownRule;

/** Text with markup, on lines of its own. */
export interface MarkdownParagraph {
  readonly type: "paragraph";
  readonly children: readonly MarkdownInline[];
}

/** A title of a level from 1 to 6; it never has an id. */
export interface MarkdownHeading {
  readonly type: "heading";
  readonly level: number;
  readonly children: readonly MarkdownInline[];
}

/** Code, verbatim; `isOpen` while its closing fence has not come. */
export interface MarkdownCodeBlock {
  readonly type: "code_block";
  readonly language?: string;
  readonly text: string;
  readonly isOpen: boolean;
}

/** Quoted blocks. */
export interface MarkdownQuote {
  readonly type: "quote";
  readonly children: readonly MarkdownBlock[];
}

/** A list; with `start` it is numbered; in a tight one paragraphs stand without space around them. */
export interface MarkdownList {
  readonly type: "list";
  readonly start?: number;
  readonly isTight: boolean;
  readonly items: readonly MarkdownListItem[];
}

/** One item of a list; with `isChecked` it is a task. */
export interface MarkdownListItem {
  readonly type: "list_item";
  readonly isChecked?: boolean;
  readonly children: readonly MarkdownBlock[];
}

/** Where the text of a table's column stands. */
export type MarkdownAlignment = "left" | "right" | "center";

/** A table; a row may have fewer cells than the header, never more. */
export interface MarkdownTable {
  readonly type: "table";
  readonly alignments: readonly (MarkdownAlignment | undefined)[];
  readonly header: MarkdownTableRow;
  readonly rows: readonly MarkdownTableRow[];
}

/** One row: the inline content of each cell. */
export interface MarkdownTableRow {
  readonly type: "table_row";
  readonly cells: readonly (readonly MarkdownInline[])[];
}

/** A line between blocks. */
export interface MarkdownRule {
  readonly type: "rule";
}

/** The content of a line of text. */
export type MarkdownInline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "break" }
  | { readonly type: "emphasis"; readonly children: readonly MarkdownInline[] }
  | { readonly type: "strong"; readonly children: readonly MarkdownInline[] }
  | { readonly type: "strikethrough"; readonly children: readonly MarkdownInline[] }
  | MarkdownLink
  | MarkdownImage;

/** A link the URL rule allows; there is never a link in a link. */
export interface MarkdownLink {
  readonly type: "link";
  readonly url: string;
  readonly title?: string;
  readonly children: readonly MarkdownInline[];
}

/** An image the URL rule allows. */
export interface MarkdownImage {
  readonly type: "image";
  readonly url: string;
  readonly title?: string;
  readonly alt: string;
}

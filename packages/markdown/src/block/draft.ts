import type { MissingLabels } from "../tree/missing-label.ts";
import type {
  MarkdownAlignment,
  MarkdownBlock,
  MarkdownListItem,
  MarkdownTableRow,
} from "../tree/node.ts";

/** The node of a draft, and the undefined references that would change it when they are defined. */
export interface Resolved<Node> {
  readonly node: Node;
  readonly missing: MissingLabels;
}

/** A block whose lines are known and whose inline content is not parsed yet; it never changes but for its cache. */
export type BlockDraft =
  | TextDraft
  | CodeDraft
  | HtmlDraft
  | QuoteDraft
  | ListDraft
  | TableDraft
  | RuleDraft;

export interface TextDraft {
  readonly type: "paragraph" | "heading";
  readonly level: number;
  readonly content: string;
  /** Its end has not been written yet: half-written markup is shown as what it will be. */
  readonly isOpen?: boolean;
  cache?: Resolved<MarkdownBlock>;
}

export interface CodeDraft {
  readonly type: "code_block";
  readonly info: string;
  readonly text: string;
  readonly isOpen: boolean;
  cache?: Resolved<MarkdownBlock>;
}

export interface HtmlDraft {
  readonly type: "html";
  readonly text: string;
  cache?: Resolved<MarkdownBlock>;
}

export interface QuoteDraft {
  readonly type: "quote";
  readonly children: readonly BlockDraft[];
  cache?: Resolved<MarkdownBlock>;
}

export interface ListDraft {
  readonly type: "list";
  readonly start: number | undefined;
  readonly isTight: boolean;
  readonly items: readonly ItemDraft[];
  cache?: Resolved<MarkdownBlock>;
}

export interface ItemDraft {
  readonly type: "list_item";
  readonly children: readonly BlockDraft[];
  cache?: Resolved<MarkdownListItem>;
}

export interface TableDraft {
  readonly type: "table";
  readonly alignments: readonly (MarkdownAlignment | undefined)[];
  readonly header: RowDraft;
  readonly rows: readonly RowDraft[];
  cache?: Resolved<MarkdownBlock>;
}

export interface RowDraft {
  readonly type: "table_row";
  readonly cells: readonly string[];
  readonly isOpen?: boolean;
  cache?: Resolved<MarkdownTableRow>;
}

export interface RuleDraft {
  readonly type: "rule";
  cache?: Resolved<MarkdownBlock>;
}

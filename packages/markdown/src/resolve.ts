import type { BlockDraft, ItemDraft, Resolved, RowDraft } from "./block/draft.ts";
import type { Definition } from "./block/open-block.ts";
import { unescapeText } from "./inline/entity.ts";
import { parseInline } from "./inline/parser.ts";
import { maximumInlineLength } from "./limit.ts";
import type { MarkdownBlock, MarkdownInline, MarkdownListItem, MarkdownTableRow } from "./node.ts";
import type { UrlRule } from "./url-rule.ts";

const nothingMissing: ReadonlySet<string> = new Set();

/** Makes nodes of drafts; a draft that it has seen gives the node it gave before. */
export class Resolver {
  readonly #urlRule: UrlRule;
  readonly #definitionOf: (label: string) => Definition | undefined;
  #missing = new Set<string>();
  /** How many characters of inline content were parsed, ever. */
  parsedCharacters = 0;

  constructor(urlRule: UrlRule, definitionOf: (label: string) => Definition | undefined) {
    this.#urlRule = urlRule;
    this.#definitionOf = definitionOf;
  }

  block(draft: BlockDraft): MarkdownBlock {
    return this.#cached(draft, () => this.#blockFrom(draft));
  }

  #blockFrom(draft: BlockDraft): MarkdownBlock {
    switch (draft.type) {
      case "paragraph":
        return { type: "paragraph", children: this.#inline(draft.content, draft.isOpen) };
      case "heading": {
        const children = this.#inline(draft.content, draft.isOpen);
        return { type: "heading", level: draft.level, children };
      }
      case "code_block": {
        const language = languageFromInfo(draft.info);
        const { text, isOpen } = draft;
        return { type: "code_block", ...(language !== undefined && { language }), text, isOpen };
      }
      case "html":
        return { type: "paragraph", children: linesAsText(draft.text) };
      case "quote":
        return { type: "quote", children: draft.children.map((child) => this.block(child)) };
      case "list": {
        const items = draft.items.map((item) => this.#item(item));
        const { start, isTight } = draft;
        return { type: "list", ...(start !== undefined && { start }), isTight, items };
      }
      case "table": {
        const rows = draft.rows.map((row) => this.#row(row));
        return {
          type: "table",
          alignments: draft.alignments,
          header: this.#row(draft.header),
          rows,
        };
      }
      case "rule":
        return { type: "rule" };
    }
  }

  #item(draft: ItemDraft): MarkdownListItem {
    return this.#cached<MarkdownListItem>(draft, () => {
      const [first, ...others] = draft.children;
      const task = first?.type === "paragraph" ? /^\[([ \txX])\](?=\s)/.exec(first.content) : null;
      if (first?.type !== "paragraph" || task === null) {
        return { type: "list_item", children: draft.children.map((child) => this.block(child)) };
      }
      const text = this.#inline(first.content.slice(task[0].length).trimStart(), first.isOpen);
      return {
        type: "list_item",
        isChecked: task[1]?.toLowerCase() === "x",
        children: [
          { type: "paragraph", children: text },
          ...others.map((child) => this.block(child)),
        ],
      };
    });
  }

  #row(draft: RowDraft): MarkdownTableRow {
    return this.#cached<MarkdownTableRow>(draft, () => {
      const last = draft.cells.length - 1;
      const cells = draft.cells.map((cell, index) =>
        this.#inline(cell, draft.isOpen === true && index === last),
      );
      return { type: "table_row", cells };
    });
  }

  /** Only a reference that was undefined and is defined now makes a node anew. */
  #cached<Node>(draft: { cache?: Resolved<Node> }, make: () => Node): Node {
    const { cache } = draft;
    const outer = this.#missing;
    if (cache !== undefined && !this.#isAnyDefined(cache.missingLabels)) {
      for (const label of cache.missingLabels) outer.add(label);
      return cache.node;
    }
    const missing = new Set<string>();
    this.#missing = missing;
    const node = make();
    this.#missing = outer;
    for (const label of missing) outer.add(label);
    draft.cache = { node, missingLabels: missing.size === 0 ? nothingMissing : missing };
    return node;
  }

  #isAnyDefined(labels: ReadonlySet<string>): boolean {
    for (const label of labels) if (this.#definitionOf(label) !== undefined) return true;
    return false;
  }

  #inline(content: string, isOpen = false): readonly MarkdownInline[] {
    if (content === "") return [];
    if (content.length > maximumInlineLength) return linesAsText(content);
    this.parsedCharacters += content.length;
    return parseInline(
      content,
      { urlRule: this.#urlRule, definitionOf: (label) => this.#lookUp(label) },
      { isOpen },
    );
  }

  #lookUp(label: string): Definition | undefined {
    const definition = this.#definitionOf(label);
    if (definition === undefined) this.#missing.add(label);
    return definition;
  }
}

function languageFromInfo(info: string): string | undefined {
  const [word = ""] = unescapeText(info).split(/\s/, 1);
  return word === "" ? undefined : word;
}

function linesAsText(text: string): readonly MarkdownInline[] {
  return [{ type: "text", text }];
}

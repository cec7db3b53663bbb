import type { BlockDraft, ItemDraft, Resolved, RowDraft } from "./block/draft.ts";
import type { DefinitionTable } from "./tree/definition-table.ts";
import { GrowingNodes } from "./growing-nodes.ts";
import { unescapeText } from "./inline/entity.ts";
import { parseInline } from "./inline/parser.ts";
import { maximumInlineLength } from "./tree/limit.ts";
import { MissingLabels } from "./tree/missing-label.ts";
import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownListItem,
  MarkdownTableRow,
} from "./tree/node.ts";
import type { UrlRule } from "./tree/url-rule.ts";

/** Makes nodes of drafts; a draft that it has seen gives the node it gave before. */
export class Resolver {
  readonly #urlRule: UrlRule;
  readonly #definitions: DefinitionTable;
  readonly #blocks: GrowingNodes<BlockDraft, MarkdownBlock>;
  readonly #items: GrowingNodes<ItemDraft, MarkdownListItem>;
  readonly #rows: GrowingNodes<RowDraft, MarkdownTableRow>;
  /** How many characters of inline content were parsed, ever. */
  parsedCharacters = 0;

  constructor(urlRule: UrlRule, definitions: DefinitionTable) {
    const createMissing = () => new MissingLabels(definitions);
    this.#urlRule = urlRule;
    this.#definitions = definitions;
    this.#blocks = new GrowingNodes(createMissing, (draft, missing) =>
      this.#cached(draft, missing, (own) => this.#blockFrom(draft, own)),
    );
    this.#items = new GrowingNodes(createMissing, (draft, missing) =>
      this.#cached(draft, missing, (own) => this.#itemFrom(draft, own)),
    );
    this.#rows = new GrowingNodes(createMissing, (draft, missing) => this.#row(draft, missing));
  }

  /** The nodes of a text's blocks. */
  blocks(drafts: readonly BlockDraft[]): readonly MarkdownBlock[] {
    return this.#blocks.of(drafts, new MissingLabels(this.#definitions));
  }

  #blockFrom(draft: BlockDraft, missing: MissingLabels): MarkdownBlock {
    switch (draft.type) {
      case "paragraph":
        return { type: "paragraph", children: this.#inline(draft, missing) };
      case "heading":
        return { type: "heading", level: draft.level, children: this.#inline(draft, missing) };
      case "code_block": {
        const language = languageFromInfo(draft.info);
        const { text, isOpen } = draft;
        return { type: "code_block", ...(language !== undefined && { language }), text, isOpen };
      }
      case "html":
        return { type: "paragraph", children: [{ type: "text", text: draft.text }] };
      case "quote":
        return { type: "quote", children: this.#blocks.of(draft.children, missing) };
      case "list": {
        const items = this.#items.of(draft.items, missing);
        const { start, isTight } = draft;
        return { type: "list", ...(start !== undefined && { start }), isTight, items };
      }
      case "table": {
        const header = this.#row(draft.header, missing);
        const rows = this.#rows.of(draft.rows, missing);
        return { type: "table", alignments: draft.alignments, header, rows };
      }
      case "rule":
        return { type: "rule" };
    }
  }

  #itemFrom({ children }: ItemDraft, missing: MissingLabels): MarkdownListItem {
    const [first, ...others] = children;
    const task = first?.type === "paragraph" ? /^\[([ \txX])\](?=\s)/.exec(first.content) : null;
    if (first?.type !== "paragraph" || task === null) {
      return { type: "list_item", children: this.#blocks.of(children, missing) };
    }
    const content = first.content.slice(task[0].length).trimStart();
    const text = this.#inline({ ...first, content }, missing);
    return {
      type: "list_item",
      isChecked: task[1]?.toLowerCase() === "x",
      children: [{ type: "paragraph", children: text }, ...this.#blocks.of(others, missing)],
    };
  }

  #row(draft: RowDraft, missing: MissingLabels): MarkdownTableRow {
    return this.#cached(draft, missing, (own) => {
      const last = draft.cells.length - 1;
      const cells = draft.cells.map((content, index) =>
        this.#inline({ content, isOpen: draft.isOpen === true && index === last }, own),
      );
      return { type: "table_row", cells };
    });
  }

  #cached<Node>(
    draft: { cache?: Resolved<Node> },
    missing: MissingLabels,
    make: (missing: MissingLabels) => Node,
  ): Node {
    if (draft.cache === undefined || draft.cache.missing.isStale) {
      const own = new MissingLabels(this.#definitions);
      draft.cache = { node: make(own), missing: own };
    }
    missing.addAll(draft.cache.missing);
    return draft.cache.node;
  }

  #inline(
    { content, isOpen = false }: { readonly content: string; readonly isOpen?: boolean },
    missing: MissingLabels,
  ): readonly MarkdownInline[] {
    if (content === "") return [];
    if (content.length > maximumInlineLength) return [{ type: "text", text: content }];
    this.parsedCharacters += content.length;
    const definitionOf = (label: string) => {
      const definition = this.#definitions.get(label);
      if (definition === undefined) missing.add(label);
      return definition;
    };
    return parseInline(content, { urlRule: this.#urlRule, definitionOf }, { isOpen });
  }
}

function languageFromInfo(info: string): string | undefined {
  const [word = ""] = unescapeText(info).split(/[ \t]/, 1);
  return word === "" ? undefined : word;
}

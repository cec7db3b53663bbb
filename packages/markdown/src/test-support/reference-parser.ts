import type { Definition, Nodes, PhrasingContent, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { MarkdownBlock, MarkdownInline, MarkdownListItem } from "../tree/node.ts";
import type { UrlRule } from "../tree/url-rule.ts";

/** Lets every URL through, so that trees can be compared. */
export const everyUrl: UrlRule = { link: (url) => url, image: (url) => url };

type Definitions = ReadonlyMap<string, Definition>;

/** The result of micromark, which is held to the specification, in our nodes. */
export function referenceBlocks(text: string): readonly MarkdownBlock[] {
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const definitions = new Map<string, Definition>();
  collectDefinitions(root, definitions);
  return root.children.flatMap((node) => blockFrom(node, definitions));
}

function collectDefinitions(node: Nodes, found: Map<string, Definition>): void {
  if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
  if ("children" in node) for (const child of node.children) collectDefinitions(child, found);
}

function blockFrom(node: RootContent, definitions: Definitions): MarkdownBlock[] {
  const inline = (nodes: readonly PhrasingContent[]) => inlineFrom(nodes, definitions);
  switch (node.type) {
    case "paragraph":
      return [{ type: "paragraph", children: inline(node.children) }];
    case "heading":
      return [{ type: "heading", level: node.depth, children: inline(node.children) }];
    case "code": {
      const language = node.lang ?? undefined;
      return [
        {
          type: "code_block",
          ...(language !== undefined && { language }),
          text: node.value,
          isOpen: false,
        },
      ];
    }
    case "html":
      return [{ type: "paragraph", children: [{ type: "text", text: node.value }] }];
    case "blockquote":
      return [
        {
          type: "quote",
          children: node.children.flatMap((child) => blockFrom(child, definitions)),
        },
      ];
    case "list":
      return [
        {
          type: "list",
          ...(node.ordered === true && { start: node.start ?? 1 }),
          isTight: node.spread !== true && node.children.every((item) => item.spread !== true),
          items: node.children.map((item): MarkdownListItem => ({
            type: "list_item",
            ...(typeof item.checked === "boolean" && { isChecked: item.checked }),
            children: item.children.flatMap((child) => blockFrom(child, definitions)),
          })),
        },
      ];
    case "table": {
      const rows = node.children.map((row) => ({
        type: "table_row" as const,
        cells: row.children.map((cell) => inline(cell.children)),
      }));
      const [header = { type: "table_row" as const, cells: [] }, ...others] = rows;
      const columns = header.cells.length;
      return [
        {
          type: "table",
          alignments: (node.align ?? []).map((alignment) => alignment ?? undefined),
          header,
          rows: others.map((row) => ({ ...row, cells: row.cells.slice(0, columns) })),
        },
      ];
    }
    case "thematicBreak":
      return [{ type: "rule" }];
    default:
      return [];
  }
}

function inlineFrom(nodes: readonly PhrasingContent[], definitions: Definitions): MarkdownInline[] {
  const merged: MarkdownInline[] = [];
  for (const node of nodes.flatMap((each) => oneInline(each, definitions))) {
    const last = merged.at(-1);
    if (node.type === "text" && last?.type === "text") {
      merged[merged.length - 1] = { type: "text", text: last.text + node.text };
    } else if (node.type !== "text" || node.text !== "") {
      merged.push(node);
    }
  }
  return merged;
}

function oneInline(node: PhrasingContent, definitions: Definitions): MarkdownInline[] {
  const children = "children" in node ? inlineFrom(node.children, definitions) : [];
  switch (node.type) {
    case "text":
    case "html":
      return [{ type: "text", text: node.value }];
    case "inlineCode":
      return [{ type: "code", text: node.value }];
    case "break":
      return [{ type: "break" }];
    case "emphasis":
      return [{ type: "emphasis", children }];
    case "strong":
      return [{ type: "strong", children }];
    case "delete":
      return [{ type: "strikethrough", children }];
    case "link":
      return [linkFrom(node, children)];
    case "linkReference": {
      const definition = definitions.get(node.identifier);
      return definition === undefined ? [] : [linkFrom(definition, children)];
    }
    case "image":
      return [imageFrom(node, node.alt)];
    case "imageReference": {
      const definition = definitions.get(node.identifier);
      return definition === undefined ? [] : [imageFrom(definition, node.alt)];
    }
    default:
      return [];
  }
}

interface Target {
  readonly url: string;
  readonly title?: string | null | undefined;
}

function linkFrom({ url, title }: Target, children: readonly MarkdownInline[]): MarkdownInline {
  const flat = children.flatMap(withoutLink);
  return { type: "link", url, ...(typeof title === "string" && { title }), children: flat };
}

function withoutLink(node: MarkdownInline): readonly MarkdownInline[] {
  return node.type === "link" ? node.children : [node];
}

function imageFrom({ url, title }: Target, alt: string | null | undefined): MarkdownInline {
  return { type: "image", url, ...(typeof title === "string" && { title }), alt: alt ?? "" };
}

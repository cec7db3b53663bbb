import type { MarkdownInline } from "../tree/node.ts";
import type { UrlRule } from "../tree/url-rule.ts";

/** The context of links besides their own text. */
export interface LinkContext {
  readonly urlRule: UrlRule;
  definitionOf(label: string): { readonly url: string; readonly title?: string } | undefined;
}

interface Target {
  readonly url: string;
  readonly title?: string;
}

/** Characters that make text read in another order than it is written. */
const bidirectionalControl = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A link around the nodes if the rule allows its URL, else the nodes alone. */
export function linkFrom(
  target: Target,
  nodes: readonly MarkdownInline[],
  { urlRule }: LinkContext,
): readonly MarkdownInline[] {
  const url = urlRule.link(target.url);
  if (url === undefined) return nodes;
  const { title } = target;
  const children = nodes.flatMap(withoutLinks);
  return [{ type: "link", url, ...(title !== undefined && { title }), children }];
}

/** An image if the rule allows its URL; else a link to it, or its text where not even that is allowed. */
export function imageFrom(
  target: Target,
  nodes: readonly MarkdownInline[],
  context: LinkContext,
): MarkdownInline {
  const alt = textOf(nodes);
  const url = context.urlRule.image(target.url);
  const { title } = target;
  if (url !== undefined) return { type: "image", url, ...(title !== undefined && { title }), alt };
  const text = { type: "text", text: alt === "" ? target.url : alt } as const;
  return linkFrom(target, [text], context)[0] ?? text;
}

/** The nodes as they may stand in a link: no link among them, and no text that reads backwards. */
function withoutLinks(node: MarkdownInline): readonly MarkdownInline[] {
  switch (node.type) {
    case "link":
      return node.children.flatMap(withoutLinks);
    case "emphasis":
    case "strong":
    case "strikethrough":
      return [{ type: node.type, children: node.children.flatMap(withoutLinks) }];
    case "text":
      return [{ type: "text", text: node.text.replace(bidirectionalControl, "") }];
    case "code":
    case "image":
    case "break":
      return [node];
  }
}

function textOf(nodes: readonly MarkdownInline[]): string {
  return nodes.map(textOfNode).join("");
}

function textOfNode(node: MarkdownInline): string {
  switch (node.type) {
    case "text":
    case "code":
      return node.text;
    case "break":
      return "\n";
    case "image":
      return node.alt;
    case "emphasis":
    case "strong":
    case "strikethrough":
    case "link":
      return textOf(node.children);
  }
}

export type {
  MarkdownAlignment,
  MarkdownBlock,
  MarkdownCodeBlock,
  MarkdownHeading,
  MarkdownImage,
  MarkdownInline,
  MarkdownLink,
  MarkdownList,
  MarkdownListItem,
  MarkdownParagraph,
  MarkdownQuote,
  MarkdownRule,
  MarkdownTable,
  MarkdownTableRow,
} from "./node.ts";
export {
  createMarkdownStream,
  type MarkdownOptions,
  type MarkdownStream,
  type MarkdownUpdate,
  parseMarkdown,
} from "./stream.ts";
export { createUrlRule, type UrlRule, type UrlRuleOptions } from "./url-rule.ts";

export { directionOf, type TextDirection } from "./direction.ts";
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
} from "./tree/node.ts";
export {
  createMarkdownStream,
  type MarkdownOptions,
  type MarkdownStream,
  type MarkdownUpdate,
  parseMarkdown,
} from "./stream.ts";
export { createUrlRule, type UrlRule, type UrlRuleOptions } from "./tree/url-rule.ts";
export {
  type CodeText,
  createHighlightedCode,
  type HighlightedCode,
} from "./highlight/highlighted-code.ts";
export {
  createHighlighter,
  type Highlighter,
  type HighlighterOptions,
  type HighlightOptions,
  type HighlightWorker,
} from "./highlight/highlighter.ts";
export { languageFromPath } from "./highlight/language.ts";
export { plainLines, type Token, type TokenKind, type TokenLine } from "./highlight/token.ts";

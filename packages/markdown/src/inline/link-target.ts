import { maximumLabelLength } from "../tree/limit.ts";
import type { LinkContext } from "./link-node.ts";
import { destinationAt, labelAt, normalizedLabel, skipSpace, titleAt } from "./link-part.ts";

/** Where a link leads, and where its markup ends in the text. */
export interface LinkTarget {
  readonly url: string;
  readonly title?: string;
  readonly end: number;
}

/** The text between brackets, by its offsets; `end` is that of the closing one. */
interface BracketRange {
  readonly start: number;
  readonly end: number;
}

/** The target that follows a closing bracket: in parentheses, or by reference. */
export function linkTargetAt(
  text: string,
  range: BracketRange,
  context: LinkContext,
): LinkTarget | undefined {
  return inlineTargetAt(text, range.end + 1) ?? referenceAt(text, range, context);
}

function inlineTargetAt(text: string, offset: number): LinkTarget | undefined {
  if (text[offset] !== "(") return undefined;
  const start = skipSpace(text, offset + 1);
  if (text[start] === ")") return { url: "", end: start + 1 };
  const url = destinationAt(text, start);
  if (url === undefined) return undefined;
  const titleStart = skipSpace(text, url.end);
  const title = titleStart > url.end ? titleAt(text, titleStart) : undefined;
  const end = skipSpace(text, title?.end ?? url.end);
  if (text[end] !== ")") return undefined;
  return { url: url.value, ...(title && { title: title.value }), end: end + 1 };
}

function referenceAt(
  text: string,
  { start, end }: BracketRange,
  context: LinkContext,
): LinkTarget | undefined {
  const label = labelAt(text, end + 1);
  const isFull = label !== undefined && label.value.trim() !== "";
  if (!isFull && end - start > maximumLabelLength) return undefined;
  const own = text.slice(start, end);
  if (!isFull && (own.trim() === "" || hasBracket(own))) return undefined;
  const name = normalizedLabel(isFull ? label.value : own);
  const definition = context.definitionOf(name);
  if (definition === undefined) return undefined;
  const { url, title } = definition;
  return { url, ...(title !== undefined && { title }), end: label?.end ?? end + 1 };
}

/** A label cannot have brackets in it, unless escaped. */
function hasBracket(label: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*[[\]]/.test(label);
}

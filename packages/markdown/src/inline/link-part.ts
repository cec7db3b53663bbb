import { maximumDataUrlLength, maximumLabelLength, maximumUrlLength } from "../tree/limit.ts";
import { unescapeText } from "./entity.ts";

/** A piece of a link and where it ends. */
export interface LinkPart {
  readonly value: string;
  readonly end: number;
}

const enclosedUrl = new RegExp(`<((?:[^<>\\n\\\\]|\\\\[^\\n]){0,${maximumUrlLength}})>`, "y");
const titles: Readonly<Record<string, RegExp>> = {
  '"': new RegExp(`"((?:[^"\\\\]|\\\\[^]){0,${maximumUrlLength}})"`, "y"),
  "'": new RegExp(`'((?:[^'\\\\]|\\\\[^]){0,${maximumUrlLength}})'`, "y"),
  "(": new RegExp(`\\(((?:[^()\\\\]|\\\\[^]){0,${maximumUrlLength}})\\)`, "y"),
};
const label = new RegExp(`\\[((?:[^\\[\\]\\\\]|\\\\[^]){0,${maximumLabelLength}})\\]`, "y");

function partFrom(expression: RegExp, text: string, offset: number): LinkPart | undefined {
  expression.lastIndex = offset;
  const found = expression.exec(text);
  return found === null ? undefined : { value: found[1] ?? "", end: expression.lastIndex };
}

/** Past spaces, tabs and line ends; CommonMark allows one line end between the parts of a link. */
export function skipSpace(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && " \t\n".includes(text[end] ?? "")) end += 1;
  return end;
}

/** Where a link leads, if a destination starts here. */
export function destinationAt(text: string, offset: number): LinkPart | undefined {
  if (text[offset] === "<") {
    const part = partFrom(enclosedUrl, text, offset);
    return part && { value: unescapeText(part.value), end: part.end };
  }
  const end = endOfBareUrl(text, offset);
  return end === undefined ? undefined : { value: unescapeText(text.slice(offset, end)), end };
}

/** A destination without angle brackets ends at a space or at a parenthesis it did not open. */
function endOfBareUrl(text: string, offset: number): number | undefined {
  let depth = 0;
  let end = offset;
  const limit = text.startsWith("data:", offset) ? maximumDataUrlLength : maximumUrlLength;
  for (; end < text.length && end - offset <= limit; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === 0x7f) break;
    if (text[end] === "\\" && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? "")) end += 1;
    else if (text[end] === "(") depth += 1;
    else if (text[end] === ")") {
      if (depth === 0) break;
      depth -= 1;
    }
    if (depth > 32) return undefined;
  }
  return depth === 0 && end - offset <= limit ? end : undefined;
}

/** A title in quotes or parentheses, if one starts here. */
export function titleAt(text: string, offset: number): LinkPart | undefined {
  const expression = titles[text[offset] ?? ""];
  const part = expression && partFrom(expression, text, offset);
  if (part === undefined || /\n[ \t]*\n/.test(part.value)) return undefined;
  return { value: unescapeText(part.value), end: part.end };
}

/** The text between two brackets, if they start here and hold more than space. */
export function labelAt(text: string, offset: number): LinkPart | undefined {
  return partFrom(label, text, offset);
}

/** Labels match without regard to case and to how much space is in them. */
export function normalizedLabel(value: string): string {
  return value
    .trim()
    .replace(/[ \t\n]+/g, " ")
    .toLowerCase()
    .toUpperCase();
}

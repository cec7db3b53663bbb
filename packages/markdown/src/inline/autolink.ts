import { closeTag, openTag } from "./html-start.ts";
import { maximumUrlLength } from "../tree/limit.ts";

/** A URL or address that is a link without any markup. */
export interface Autolink {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly url: string;
}

const bareUrl = new RegExp(
  `(?<![a-z0-9/])(?:https?://|www\\.)[^\\s<\\[\\]\`]{1,${maximumUrlLength}}|(?<![\\w.+-])[\\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,8}`,
  "gi",
);
const enclosed = new RegExp(
  `<(?:([a-z][a-z0-9+.-]{1,31}:[^\\s<>]{0,${maximumUrlLength}})|([\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,8}))>`,
  "iy",
);
const tag = new RegExp(`${openTag}|${closeTag}|<![a-z][^>]*>`, "iy");

/** All bare links of a text, in order. */
export function bareLinksOf(text: string): Autolink[] {
  if (!/:\/\/|www\.|@/i.test(text)) return [];
  return Array.from(text.matchAll(bareUrl), ({ 0: found, index }) => linkFrom(found, index)).filter(
    (link) => link !== undefined,
  );
}

function linkFrom(found: string, start: number): Autolink | undefined {
  const text = withoutTrail(found);
  const link = { start, end: start + text.length, text };
  if (/^https?:/i.test(found)) {
    return /^https?:\/\/[\p{L}\p{N}]/iu.test(text) ? { ...link, url: text } : undefined;
  }
  if (/^www\./i.test(found)) {
    return /^www\.[^\s/?#.]/i.test(text) ? { ...link, url: `http://${text}` } : undefined;
  }
  return /[a-z]$/i.test(text) ? { ...link, url: `mailto:${text}` } : undefined;
}

/** Punctuation after a URL belongs to the sentence, as does a parenthesis it did not open. */
function withoutTrail(found: string): string {
  let end = found.length;
  let surplus = count(found, ")") - count(found, "(");
  for (;;) {
    const last = found[end - 1] ?? "";
    if (last === ")" && surplus > 0) surplus -= 1;
    else if (last === ";") {
      const entity = /&[a-z0-9]+;$/i.exec(found.slice(Math.max(0, end - 34), end));
      if (entity === null) return found.slice(0, end);
      end -= entity[0].length - 1;
    } else if (last === "" || !"?!.,:*_~'\"".includes(last)) return found.slice(0, end);
    end -= 1;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A link in angle brackets, if one starts here. */
export function enclosedLinkAt(text: string, offset: number): Autolink | undefined {
  enclosed.lastIndex = offset;
  const found = enclosed.exec(text);
  if (found === null) return undefined;
  const [, url, address = ""] = found;
  const shown = url ?? address;
  return { start: offset, end: enclosed.lastIndex, text: shown, url: url ?? `mailto:${address}` };
}

const spans: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

/** Where the HTML ends that starts here; its markup is text to us, so it must not be read as Markdown. */
export function endOfHtmlAt(text: string, offset: number): number | undefined {
  for (const [start, end] of spans) {
    if (!text.startsWith(start, offset)) continue;
    if (start === "<!--" && /^<!--(?:>|->)/.test(text.slice(offset, offset + 6))) {
      return text.indexOf(">", offset) + 1;
    }
    const found = text.indexOf(end, offset + start.length);
    return found === -1 ? undefined : found + end.length;
  }
  tag.lastIndex = offset;
  return tag.test(text) ? tag.lastIndex : undefined;
}

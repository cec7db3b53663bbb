import { isObject } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";

/** Longer texts are not read while they grow: reading each prefix again would hold up the page. */
const LONGEST_TEXT = 65_536;

/** Punctuation, a whole string, one that is cut off, or a number or literal. */
const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\[^][^"\\]*)*("|\\?$)|[^\s{}[\],:"]+/g;

/** An escape sequence, or half of a character, that the end of the text has cut off. */
const CUT_CHARACTER =
  /(?:\\|\\u[\da-f]{0,3}|\\ud[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?|[\ud800-\udbff])$/i;

/**
 * The object that a text of JSON contains as far as it has arrived: of a string what is there, but no key without
 * its value and no number that may have more digits. Undefined where there is none yet, or it is not JSON.
 */
export function partialObject(text: string): JsonObject | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  try {
    const value: unknown = JSON.parse(completed(text));
    // JSON.parse returns JSON values only.
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The longest beginning of the text that can be closed, closed. */
function completed(text: string): string {
  const closers: string[] = [];
  // Every bracket moves it, so that `closers` are always those that are open here.
  let last = { end: 0, quote: "" };
  let before = "";
  const closeAt = (end: number, quote = ""): void => {
    last = { end, quote };
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token, quote] = match;
    const end = match.index + token.length;
    const isKey = closers.at(-1) === "}" && before !== ":";
    if (token === "{" || token === "[") {
      closers.push(token === "{" ? "}" : "]");
      closeAt(end);
    } else if (token === "}" || token === "]") {
      closers.pop();
      closeAt(end);
    } else if (token.startsWith('"')) {
      const isCut = quote !== '"';
      if (!isKey && isCut) closeAt(match.index + uncut(token).length, '"');
      else if (!isKey) closeAt(end);
    } else if (token !== ":" && token !== "," && end < text.length) {
      closeAt(end);
    }
    before = token;
  }
  return text.slice(0, last.end) + last.quote + closers.toReversed().join("");
}

/** A string that is cut off, without a character that is. */
function uncut(token: string): string {
  const cut = CUT_CHARACTER.exec(token);
  if (!cut) return token;
  // An escaped backslash begins no escape sequence.
  const backslashes = /\\*$/.exec(token.slice(0, cut.index))?.[0].length ?? 0;
  return cut[0].startsWith("\\") && backslashes % 2 === 1 ? token : token.slice(0, cut.index);
}

import type { Assignment, Word, WordPart } from "unbash";

export const notRead = "a part of it is not understood";

/** Characters that plain text has only after a backslash; brackets and bars belong to patterns. */
const notPlain = /[`'"<>&;\n]|\$[\w({['"@*#?!-]/;

/**
 * Whether the parser has given an account of all of a word. It leaves out what it does not expect,
 * such as text behind the bracket that closes an array: `a=($(date))x` comes without the command.
 */
export function isWhollyRead(word: Word): boolean {
  if (!word.parts) return isPlain(word.text);
  return word.parts.every(isPartRead) && textOf(word.parts) === word.text;
}

/** The text between the elements of an array: blanks, and comments that begin after one. */
const betweenElements = /^\s*(?:(?<=\s)#[^\n]*\n\s*)*$/;

/** The same for an array: nothing else stands between, before or behind its elements. */
export function isArrayWhollyRead({ text, value, pos }: Assignment): boolean {
  if (value.type !== "ArrayValue") return true;
  if (!text.endsWith(")")) return false;
  let index = text.indexOf("=(") + 2;
  for (const element of value.elements) {
    const start = element.pos - pos;
    if (start < index || text.slice(start, element.end - pos) !== element.text) return false;
    if (!betweenElements.test(text.slice(index, start))) return false;
    index = element.end - pos;
  }
  return betweenElements.test(text.slice(index, -1));
}

function isPartRead(part: WordPart): boolean {
  if (part.type === "Literal") return isPlain(part.text);
  if (part.type === "DoubleQuoted") return `"${textOf(part.parts)}"` === part.text;
  return true;
}

function isPlain(text: string): boolean {
  return !notPlain.test(text.replaceAll(/\\[^]/g, ""));
}

function textOf(parts: readonly WordPart[]): string {
  return parts.map(({ text }) => text).join("");
}

import { stripVTControlCharacters } from "node:util";

const TAB_WIDTH = 4;

/** Whatever could move the cursor, reorder a line or hide in it: controls, bidi and other format characters, separators. */
const dangerous = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Joins emoji and letters of some scripts; harmless. */
const joiners = /[\u200c\u200d]/u;

function visible(character: string): string {
  if (character === "\n" || joiners.test(character)) return character;
  if (character === "\t") return " ".repeat(TAB_WIDTH);
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

/** Makes foreign text harmless on a terminal without hiding anything: each control character becomes a picture of itself. */
export function safeText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(dangerous, visible);
}

/** As `safeText`, on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll("\n", " ");
}

/** Makes program output harmless: its colours go, and a line that was rewritten shows its last writing. */
export function safeOutput(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const rewritten = lines.map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "");
  return safeText(stripVTControlCharacters(rewritten.join("\n")));
}

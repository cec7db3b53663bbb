import { characterEntitiesHtml4 } from "character-entities-html4";

const reference = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/iy;
const escapable = /\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(characterEntitiesHtml4),
  ["apos", "'"],
]);

/** The characters that a reference encodes, if one starts here; names are those of HTML 4. */
export function entityAt(text: string, offset: number): { text: string; end: number } | undefined {
  reference.lastIndex = offset;
  const found = reference.exec(text);
  if (found === null) return undefined;
  const [, decimal, hexadecimal, name] = found;
  const decoded = name === undefined ? fromCode(decimal, hexadecimal) : names.get(name);
  return decoded === undefined ? undefined : { text: decoded, end: reference.lastIndex };
}

function fromCode(decimal: string | undefined, hexadecimal: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  const isCharacter = code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  const character = isCharacter ? String.fromCodePoint(code) : "";
  return character === "" || /[^\P{Cc}\t\n\r]/u.test(character) ? "\ufffd" : character;
}

/** Text with its backslash escapes and character references replaced. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(escapable, (found, escaped: string | undefined) =>
    escaped === undefined ? (entityAt(found, 0)?.text ?? found) : escaped,
  );
}

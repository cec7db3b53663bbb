/**
 * Text that all shells read alike: simple commands of plain and quoted words, joined by `;`, `&&`,
 * `||`, `|` and ends of lines, with redirections to named files. It is read here by itself, so that
 * a difference between the parser and a shell does not matter.
 */
export function isPlainScript(text: string): boolean {
  let index = 0;
  let isCommandStart = true;
  for (;;) {
    blank.lastIndex = index;
    index += blank.exec(text)?.[0].length ?? 0;
    if (index >= text.length) return true;
    separator.lastIndex = index;
    const joined = separator.exec(text)?.[0];
    if (joined !== undefined) {
      index += joined.length;
      isCommandStart = true;
      continue;
    }
    redirection.lastIndex = index;
    const redirected = redirection.exec(text)?.[0];
    index += redirected?.length ?? 0;
    if (redirected !== undefined && /&\d$/.test(redirected)) continue;
    word.lastIndex = index;
    const source = word.exec(text)?.[0];
    if (source === undefined || source === "") return false;
    index += source.length;
    if (isCommandStart && redirected === undefined && reserved.has(source)) return false;
    if (redirected === undefined) isCommandStart = false;
  }
}

const blank = /[ \t]*/y;
const separator = /&&|\|\||\|(?!&)|;(?![;&])|\n/y;
const redirection = /[012]?(?:>&[12](?=[ \t\n;|]|$)|>>?(?![>&|(])|<(?![<>&(]))[ \t]*/y;
const unquoted = String.raw`[A-Za-z0-9_./:@%+,*?-]`;
const escape = String.raw`\\[;()*.|?$"'<>&!{}^+\\#-]|\\[[\]]`;
const single = `'[^']*'`;
const double = String.raw`"(?:[^"$${"`"}\\]|\\["\\A-Za-z0-9.|()+*?{}[\]^/-])*"`;
/** `=`, `^` and `~` mean nothing special inside a word, but for a tilde behind `=` or `:`. */
const inner = String.raw`[=^]|(?<![=:])~`;
const plain = `(?:${unquoted}|${escape}|${single}|${double})(?:${unquoted}|${escape}|${single}|${double}|${inner})*`;
const word = new RegExp(String.raw`(?:\{\}|\[|\]|${plain})(?=[ \t\n;|&<>]|$)`, "y");

const reserved = new Set(
  "if then elif else fi for while until do done case esac in function select coproc time".split(
    " ",
  ),
);

export const notClosed =
  "without containment only plain commands are judged, with nothing that the shell expands";

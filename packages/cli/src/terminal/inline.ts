import { Lexer, type Token, type Tokens } from "marked";
import type { Format } from "./format.ts";
import { safeLine } from "./safe-text.ts";

/** The tokens that can stand inside a line. */
type InlineToken =
  | Tokens.Br
  | Tokens.Codespan
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Image
  | Tokens.Link
  | Tokens.Strong
  | Tokens.Tag
  | Tokens.Text;

/** Where a link leads is always shown: its words may say anything. */
function link(token: Tokens.Link | Tokens.Image, format: Format): string {
  const { colors } = format;
  const words = token.tokens ? styled(token.tokens, format) : token.text;
  const target = token.href.replace(/^mailto:/, "");
  if (token.text === target) return colors.underline(target);
  return `${colors.underline(words)} ${colors.dim(`(${target})`)}`;
}

function styledToken(token: InlineToken, format: Format): string {
  const { colors } = format;
  switch (token.type) {
    case "br":
      return " ";
    case "codespan":
      return colors.cyan(token.text);
    case "del":
      return colors.strikethrough(styled(token.tokens, format));
    case "em":
      return colors.italic(styled(token.tokens, format));
    case "strong":
      return colors.bold(styled(token.tokens, format));
    case "image":
    case "link":
      return link(token, format);
    case "escape":
    case "html":
    case "text":
      return token.text;
  }
}

function styled(tokens: readonly Token[], format: Format): string {
  return tokens.map((token) => styledToken(token as InlineToken, format)).join("");
}

/** One line of markdown with its emphasis, code and links styled; without colours the source stays as it is. */
export function inlineMarkdown(source: string, format: Format): string {
  const safe = safeLine(source);
  return format.colors.isColorSupported ? styled(Lexer.lexInline(safe), format) : safe;
}

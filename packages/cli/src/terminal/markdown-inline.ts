import type { MarkdownImage, MarkdownInline, MarkdownLink } from "@turnwire/markdown";
import type { Format } from "./format.ts";
import { safeLine, safeText } from "./safe-text.ts";

/** Data URLs are shown up to here: the rest is the image itself. */
const dataUrlHead = /^data:[^,]{0,64}/;

function targetOf({ url }: MarkdownLink | MarkdownImage): string {
  const head = dataUrlHead.exec(url)?.[0];
  return safeLine(head === undefined ? url : `${head}…`);
}

/** Whether the words of a link are its address, with or without the scheme. */
function namesTarget(words: string, target: string): boolean {
  return words === target || words === target.replace(/^(?:mailto:|https?:\/\/)/, "");
}

/** The target of a link is always shown: its words may claim anything. */
function link(node: MarkdownLink, format: Format): string {
  const { colors } = format;
  const words = inlineText(node.children, format);
  const target = targetOf(node);
  if (namesTarget(plainText(node.children), target)) return colors.underline(words);
  if (!colors.isColorSupported) return `[${words}](${target})`;
  return `${colors.underline(words)} ${colors.dim(`(${target})`)}`;
}

function image(node: MarkdownImage, { colors }: Format): string {
  const alt = safeLine(node.alt);
  const target = targetOf(node);
  if (!colors.isColorSupported) return `![${alt}](${target})`;
  return `${colors.underline(alt === "" ? "image" : alt)} ${colors.dim(`(${target})`)}`;
}

/** Backticks around code, more of them than stand in it. */
function quotedCode(code: string): string {
  const longest = Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const space = /^`|`$/.test(code) ? " " : "";
  const fence = "`".repeat(longest + 1);
  return fence + space + code + space + fence;
}

function plainText(nodes: readonly MarkdownInline[]): string {
  return nodes.map((node) => ("text" in node ? safeText(node.text) : "\0")).join("");
}

/** Inline Markdown in the terminal's styles; without colours in the marks that Markdown has for them. */
export function inlineText(nodes: readonly MarkdownInline[], format: Format): string {
  const { colors } = format;
  const styled = (style: (text: string) => string, mark: string, inner: string) =>
    colors.isColorSupported ? style(inner) : mark + inner + mark;
  return nodes
    .map((node) => {
      switch (node.type) {
        case "text":
          return safeText(node.text);
        case "break":
          return "\n";
        case "code": {
          const code = safeLine(node.text);
          return colors.isColorSupported ? colors.cyan(code) : quotedCode(code);
        }
        case "emphasis":
          return styled(colors.italic, "*", inlineText(node.children, format));
        case "strong":
          return styled(colors.bold, "**", inlineText(node.children, format));
        case "strikethrough":
          return styled(colors.strikethrough, "~~", inlineText(node.children, format));
        case "link":
          return link(node, format);
        case "image":
          return image(node, format);
      }
    })
    .join("");
}

/** The end of a long text, about so many characters of it: as much as a preview shows. */
export function inlineEnd(nodes: readonly MarkdownInline[], length: number): MarkdownInline[] {
  const end: MarkdownInline[] = [];
  let room = length;
  for (const node of nodes.toReversed()) {
    if (room <= 0) {
      end.push({ type: "text", text: "…" });
      break;
    }
    const isCut = node.type === "text" && node.text.length > room;
    end.push(isCut ? { type: "text", text: `…${node.text.slice(-room)}` } : node);
    if (isCut) break;
    room -= "text" in node ? node.text.length : 1;
  }
  return end.toReversed();
}

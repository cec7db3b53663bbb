import { trimSpaceEnd } from "./space.ts";
import { maximumInlineDepth } from "../tree/limit.ts";
import type { MarkdownInline } from "../tree/node.ts";
import { type Autolink, bareLinksOf, enclosedLinkAt, endOfHtmlAt } from "./autolink.ts";
import { CodeSpanFinder } from "./code-span.ts";
import { EmphasisStack } from "./emphasis.ts";
import { entityAt } from "./entity.ts";
import { imageFrom, type LinkContext, linkFrom } from "./link-node.ts";
import { type LinkTarget, linkTargetAt } from "./link-target.ts";
import { nodesFrom, type Piece, PieceList } from "./piece.ts";

/** A `[` or `![` that waits for its `]`. */
interface Bracket {
  readonly piece: Piece;
  readonly isImage: boolean;
  /** Where the text after it starts. */
  readonly start: number;
  readonly emphasisPosition: number;
  /** False for brackets around a link: links do not stand in links. */
  isActive: boolean;
}

const plain = /[^\\`*_~[\]!<&\n]+/y;
/** TeX in a line, `\\(x\\)`: escapes would take its signs away. Bounded, so that many beginnings cost little. */
const math = /\\\((?:[^\\\n]|\\[^()\n]){1,400}\\\)/y;
const markerRun = /\*+|_+|~+/y;

export interface InlineOptions {
  /** Its end is still being written: what is open there is closed or hidden, never shown raw. */
  readonly isOpen: boolean;
}

/** The nodes of inline content. */
export function parseInline(
  content: string,
  context: LinkContext,
  options: InlineOptions,
): MarkdownInline[] {
  const text = options.isOpen ? withoutOpenEnd(content) : content;
  return new InlineParser(text, context, options).parse();
}

/** Markers at the very end may be the first half of longer ones: they are held back. */
function withoutOpenEnd(content: string): string {
  const end = /(?:[*_~]+|\\)$/.exec(content.slice(-16));
  if (end === null) return content;
  const start = content.length - end[0].length;
  return content[start - 1] === "\\" && end[0] !== "\\" ? content : content.slice(0, start);
}

class InlineParser {
  readonly #text: string;
  readonly #context: LinkContext;
  readonly #isOpen: boolean;
  readonly #pieces = new PieceList();
  readonly #emphasis = new EmphasisStack(this.#pieces);
  readonly #codeSpans: CodeSpanFinder;
  readonly #brackets: Bracket[] = [];
  readonly #bareLinks: readonly Autolink[];
  #nextLink = 0;
  #offset = 0;

  constructor(text: string, context: LinkContext, { isOpen }: InlineOptions) {
    this.#text = text;
    this.#context = context;
    this.#isOpen = isOpen;
    this.#codeSpans = new CodeSpanFinder(text);
    this.#bareLinks = bareLinksOf(text);
  }

  parse(): MarkdownInline[] {
    while (this.#offset < this.#text.length) this.#step();
    if (this.#isOpen) this.#hideOpenBrackets();
    this.#emphasis.match(0);
    if (this.#isOpen) this.#emphasis.closeAll();
    return nodesFrom(this.#pieces.first).nodes;
  }

  #step(): void {
    if (this.#takeBareLink()) return;
    const character = this.#text[this.#offset];
    switch (character) {
      case "\n":
        return this.#takeLineEnd();
      case "\\":
        return this.#takeEscape();
      case "`":
        return this.#takeCode();
      case "*":
      case "_":
      case "~":
        return this.#takeMarkers();
      case "[":
        return this.#openBracket("[");
      case "!":
        return this.#text[this.#offset + 1] === "[" ? this.#openBracket("![") : this.#takeText(1);
      case "]":
        return this.#closeBracket();
      case "<":
        return this.#takeAngle();
      case "&":
        return this.#takeEntity();
      default:
        return this.#takePlain();
    }
  }

  #takeText(length: number): void {
    this.#pieces.addText(this.#text.slice(this.#offset, this.#offset + length));
    this.#offset += length;
  }

  #takePlain(): void {
    plain.lastIndex = this.#offset;
    plain.test(this.#text);
    const linkStart = this.#bareLinks[this.#nextLink]?.start ?? this.#text.length;
    const end = Math.max(this.#offset + 1, Math.min(plain.lastIndex, linkStart));
    this.#takeText(end - this.#offset);
  }

  #takeBareLink(): boolean {
    let link = this.#bareLinks[this.#nextLink];
    while (link !== undefined && link.start < this.#offset) {
      this.#nextLink += 1;
      link = this.#bareLinks[this.#nextLink];
    }
    if (link?.start !== this.#offset) return false;
    this.#takeAutolink(link);
    return true;
  }

  #takeAutolink({ url, text, end }: Autolink): void {
    const node = linkFrom({ url }, [{ type: "text", text }], this.#context);
    for (const each of node) this.#pieces.addNode(each);
    this.#offset = end;
  }

  /** Two spaces before a line end make a break; space around it does not count. */
  #takeLineEnd(): void {
    const { last } = this.#pieces;
    const isBreak = last.text.endsWith("  ");
    last.text = trimSpaceEnd(last.text);
    if (isBreak) this.#pieces.addNode({ type: "break" }, 0);
    else this.#pieces.addText("\n");
    this.#skipLineStart();
  }

  #skipLineStart(): void {
    this.#offset += 1;
    while (this.#text[this.#offset] === " " || this.#text[this.#offset] === "\t") this.#offset += 1;
  }

  #takeEscape(): void {
    const next = this.#text[this.#offset + 1] ?? "";
    if (next === "\n") {
      this.#pieces.addNode({ type: "break" }, 0);
      this.#offset += 1;
      this.#skipLineStart();
    } else if (next === "(" && this.#takeMath()) {
      return;
    } else if (/[!-/:-@[-`{-~]/.test(next)) {
      this.#pieces.addText(next);
      this.#offset += 2;
    } else {
      this.#takeText(1);
    }
  }

  #takeMath(): boolean {
    math.lastIndex = this.#offset;
    if (!math.test(this.#text)) return false;
    this.#takeText(math.lastIndex - this.#offset);
    return true;
  }

  #takeCode(): void {
    const span = this.#codeSpans.spanAt(this.#offset, this.#isOpen);
    if (span.text === undefined) {
      this.#takeText(span.end - this.#offset);
      return;
    }
    if (span.text !== "") this.#pieces.addNode({ type: "code", text: span.text });
    this.#offset = span.end;
  }

  #takeMarkers(): void {
    markerRun.lastIndex = this.#offset;
    const run = markerRun.exec(this.#text)?.[0] ?? "";
    const end = this.#offset + run.length;
    const after = this.#text.codePointAt(end);
    this.#emphasis.push(
      run,
      characterBefore(this.#text, this.#offset),
      after === undefined ? "" : String.fromCodePoint(after),
    );
    this.#offset = end;
  }

  #takeAngle(): void {
    const link = enclosedLinkAt(this.#text, this.#offset);
    if (link !== undefined) return this.#takeAutolink(link);
    const end = endOfHtmlAt(this.#text, this.#offset) ?? this.#offset + 1;
    this.#takeText(end - this.#offset);
  }

  #takeEntity(): void {
    const entity = entityAt(this.#text, this.#offset);
    if (entity === undefined) return this.#takeText(1);
    this.#pieces.addText(entity.text);
    this.#offset = entity.end;
  }

  #openBracket(mark: "[" | "!["): void {
    const piece = this.#pieces.addText(mark);
    this.#offset += mark.length;
    this.#brackets.push({
      piece,
      isImage: mark === "![",
      start: this.#offset,
      emphasisPosition: this.#emphasis.position,
      isActive: true,
    });
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket === undefined || !bracket.isActive) return this.#takeText(1);
    const target = linkTargetAt(
      this.#text,
      { start: bracket.start, end: this.#offset },
      this.#context,
    );
    if (target === undefined) {
      if (this.#isOpen && this.#hideOpenTarget(bracket)) return;
      return this.#takeText(1);
    }
    this.#addLink(bracket, target);
    this.#offset = target.end;
  }

  #addLink(bracket: Bracket, target: LinkTarget): void {
    this.#emphasis.match(bracket.emphasisPosition);
    this.#emphasis.forget(bracket.emphasisPosition);
    const { nodes, depth } = this.#pieces.takeBetween(bracket.piece, undefined);
    this.#pieces.remove(bracket.piece);
    const made =
      depth >= maximumInlineDepth
        ? nodes
        : bracket.isImage
          ? [imageFrom(target, nodes, this.#context)]
          : linkFrom(target, nodes, this.#context);
    for (const node of made) this.#pieces.addNode(node, depth + 1);
    if (bracket.isImage) return;
    for (const outer of this.#brackets) if (!outer.isImage) outer.isActive = false;
  }

  /** A link whose target is not all there yet shows its text; true when this is one. */
  #hideOpenTarget(bracket: Bracket): boolean {
    const rest = this.#text.slice(this.#offset + 1);
    const isOpenTarget = rest === "" || /^\([^)\n]*$/.test(rest) || /^\[[^\]\n]*$/.test(rest);
    if (!isOpenTarget) return false;
    this.#pieces.remove(bracket.piece);
    this.#offset = this.#text.length;
    return true;
  }

  /** The last `[` may become a link: it is not shown until that is known. */
  #hideOpenBrackets(): void {
    const bracket = this.#brackets.at(-1);
    if (bracket === undefined) return;
    const before = characterBefore(this.#text, bracket.start - bracket.piece.text.length);
    if (!/\w/.test(before)) this.#pieces.remove(bracket.piece);
  }
}

function characterBefore(text: string, offset: number): string {
  if (offset === 0) return "";
  const isPair = offset > 1 && /[\udc00-\udfff]/.test(text[offset - 1] ?? "");
  return text.slice(offset - (isPair ? 2 : 1), offset);
}

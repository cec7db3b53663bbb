import { maximumInlineDepth } from "../tree/limit.ts";
import type { MarkdownInline } from "../tree/node.ts";
import type { Piece, PieceList } from "./piece.ts";

/** A run of `*`, `_` or `~` that may open or close emphasis. */
interface Delimiter {
  readonly piece: Piece;
  readonly marker: string;
  readonly originalLength: number;
  length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Where it stands among all; says how far back openers have been looked for. */
  readonly position: number;
  previous: Delimiter | undefined;
  next: Delimiter | undefined;
}

const space = /^\s?$/u;
const punctuation = /^[\p{P}\p{S}]$/u;

/** The delimiter runs of one inline content, and what becomes of them. */
export class EmphasisStack {
  readonly #pieces: PieceList;
  #top: Delimiter | undefined;
  #count = 0;

  constructor(pieces: PieceList) {
    this.#pieces = pieces;
  }

  /** The newest position: delimiters after it are those of what follows. */
  get position(): number {
    return this.#count;
  }

  push(run: string, before: string, after: string): void {
    const marker = run.charAt(0);
    const piece = this.#pieces.addText(run);
    if (marker === "~" && run.length > 2) return;
    const isSpaceAfter = space.test(after);
    const isSpaceBefore = space.test(before);
    const isMarkAfter = punctuation.test(after);
    const isMarkBefore = punctuation.test(before);
    const isLeft = !isSpaceAfter && (!isMarkAfter || isSpaceBefore || isMarkBefore);
    const isRight = !isSpaceBefore && (!isMarkBefore || isSpaceAfter || isMarkAfter);
    const isUnderscore = marker === "_";
    this.#count += 1;
    const delimiter: Delimiter = {
      piece,
      marker,
      originalLength: run.length,
      length: run.length,
      canOpen: isLeft && (!isUnderscore || !isRight || isMarkBefore),
      canClose: isRight && (!isUnderscore || !isLeft || isMarkAfter),
      position: this.#count,
      previous: this.#top,
      next: undefined,
    };
    if (this.#top !== undefined) this.#top.next = delimiter;
    this.#top = delimiter;
  }

  /** Matches closers with openers among the delimiters after a position, and forgets those. */
  match(bottom: number): void {
    const searched = new Map<string, number>();
    let closer = this.#firstAfter(bottom);
    while (closer !== undefined) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      const key = `${closer.marker}${closer.canOpen}${closer.marker === "~" ? closer.length : closer.originalLength % 3}`;
      const opener = openerOf(closer, Math.max(bottom, searched.get(key) ?? 0));
      if (opener === undefined) {
        const unmatched: Delimiter = closer;
        searched.set(key, closer.previous?.position ?? 0);
        closer = closer.next;
        if (!unmatched.canOpen) this.#remove(unmatched);
      } else {
        closer = this.#wrap(opener, closer);
      }
    }
  }

  /** Drops the delimiters after a position: they stay as text. */
  forget(bottom: number): void {
    while (this.#top !== undefined && this.#top.position > bottom) this.#remove(this.#top);
  }

  /** Closes what is still open, as if its closers stood at the end. */
  closeAll(): void {
    for (let opener = this.#top; opener !== undefined; opener = opener.previous) {
      if (!opener.canOpen || opener.canClose) continue;
      const { piece, marker } = opener;
      for (let left = opener.length; left > 0 && piece.next !== undefined;) {
        if (this.#pieces.last.depth >= maximumInlineDepth) break;
        const use = marker === "~" ? left : Math.min(left, 2);
        const { nodes, depth } = this.#pieces.takeBetween(piece, undefined);
        this.#pieces.addNode(wrapped(marker, use, nodes), depth + 1);
        left -= use;
      }
      this.#pieces.remove(piece);
    }
  }

  #firstAfter(bottom: number): Delimiter | undefined {
    let first: Delimiter | undefined;
    for (let each = this.#top; each !== undefined && each.position > bottom; each = each.previous) {
      first = each;
    }
    return first;
  }

  /** Makes one node of what two delimiters enclose; answers which closer comes next. */
  #wrap(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
    while (closer.previous !== undefined && closer.previous !== opener)
      this.#remove(closer.previous);
    const isPair = opener.length >= 2 && closer.length >= 2;
    const use = opener.marker === "~" ? opener.length : isPair ? 2 : 1;
    const { nodes, depth } = this.#pieces.takeBetween(opener.piece, closer.piece);
    if (depth >= maximumInlineDepth) {
      let before = opener.piece;
      for (const node of nodes) before = this.#pieces.insertAfter(before, node, depth);
      const { next } = closer;
      this.#remove(opener);
      this.#remove(closer);
      return next;
    }
    this.#pieces.insertAfter(opener.piece, wrapped(opener.marker, use, nodes), depth + 1);
    this.#shorten(opener, use);
    this.#shorten(closer, use);
    return closer.length > 0 ? closer : closer.next;
  }

  #shorten(delimiter: Delimiter, use: number): void {
    delimiter.length -= use;
    delimiter.piece.text = delimiter.marker.repeat(delimiter.length);
    if (delimiter.length > 0) return;
    this.#pieces.remove(delimiter.piece);
    this.#remove(delimiter);
  }

  #remove(delimiter: Delimiter): void {
    const { previous, next } = delimiter;
    if (previous !== undefined) previous.next = next;
    if (next === undefined) this.#top = previous;
    else next.previous = previous;
  }
}

function openerOf(closer: Delimiter, bottom: number): Delimiter | undefined {
  let opener = closer.previous;
  while (opener !== undefined && opener.position > bottom) {
    if (isPairOf(opener, closer)) return opener;
    opener = opener.previous;
  }
  return undefined;
}

/** Runs that could both open and close match only if their lengths do not add up to a multiple of three. */
function isPairOf(opener: Delimiter, closer: Delimiter): boolean {
  if (!opener.canOpen || opener.marker !== closer.marker) return false;
  if (opener.marker === "~") return opener.length === closer.length;
  if (!closer.canOpen && !opener.canClose) return true;
  const sum = opener.originalLength + closer.originalLength;
  return sum % 3 !== 0 || closer.originalLength % 3 === 0;
}

function wrapped(
  marker: string,
  length: number,
  children: readonly MarkdownInline[],
): MarkdownInline {
  if (marker === "~") return { type: "strikethrough", children };
  return { type: length === 2 ? "strong" : "emphasis", children };
}

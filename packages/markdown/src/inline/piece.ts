import type { MarkdownInline } from "../tree/node.ts";

/** A stretch of inline content on its way: text, which may yet turn out to be a marker, or a node. */
export interface Piece {
  text: string;
  node: MarkdownInline | undefined;
  /** How many nodes are in each other here. */
  readonly depth: number;
  previous: Piece | undefined;
  next: Piece | undefined;
}

function createPiece(text: string, node: MarkdownInline | undefined, depth: number): Piece {
  return { text, node, depth, previous: undefined, next: undefined };
}

/** Pieces in order; any of them can be taken out or wrapped in constant time. */
export class PieceList {
  readonly #start = createPiece("", undefined, 0);
  #last: Piece = this.#start;

  get first(): Piece | undefined {
    return this.#start.next;
  }

  get last(): Piece {
    return this.#last;
  }

  addText(text: string): Piece {
    return this.#insert(this.#last, createPiece(text, undefined, 0));
  }

  addNode(node: MarkdownInline, depth = 1): Piece {
    return this.#insert(this.#last, createPiece("", node, depth));
  }

  remove(piece: Piece): void {
    this.#join(piece.previous ?? this.#start, piece.next);
  }

  /** Takes out what stands between the two (or to the end), as nodes. */
  takeBetween(before: Piece, after: Piece | undefined): { nodes: MarkdownInline[]; depth: number } {
    const taken = nodesFrom(before.next, after);
    this.#join(before, after);
    return taken;
  }

  insertAfter(before: Piece, node: MarkdownInline, depth: number): Piece {
    return this.#insert(before, createPiece("", node, depth));
  }

  #insert(before: Piece, piece: Piece): Piece {
    const after = before.next;
    piece.previous = before;
    piece.next = after;
    before.next = piece;
    if (after === undefined) this.#last = piece;
    else after.previous = piece;
    return piece;
  }

  #join(before: Piece, after: Piece | undefined): void {
    before.next = after;
    if (after === undefined) this.#last = before;
    else after.previous = before;
  }
}

/** The nodes of the pieces from one up to another, with texts that touch made one. */
export function nodesFrom(
  first: Piece | undefined,
  end?: Piece,
): { nodes: MarkdownInline[]; depth: number } {
  const nodes: MarkdownInline[] = [];
  let depth = 0;
  let text = "";
  for (let piece = first; piece !== undefined && piece !== end; piece = piece.next) {
    depth = Math.max(depth, piece.depth);
    text += piece.text;
    if (piece.node === undefined) continue;
    if (piece.node.type === "text") {
      text += piece.node.text;
      continue;
    }
    if (text !== "") nodes.push({ type: "text", text });
    text = "";
    nodes.push(piece.node);
  }
  if (text !== "") nodes.push({ type: "text", text });
  return { nodes, depth };
}

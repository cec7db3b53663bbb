/** Where a text comes from that is known only when the command runs. */
export type Origin =
  | "any"
  /** Digits only. */
  | "number"
  /** Paths below known places, as `find` or `git ls-files` print them. */
  | "paths";

export type Piece =
  | { readonly type: "text"; readonly text: string }
  /** A part of a glob: one character of a name, or any number of them. */
  | { readonly type: "glob"; readonly part: "one" | "many"; readonly canStartWithDot: boolean }
  | {
      readonly type: "unknown";
      readonly origin: Origin;
      readonly isSplit: boolean;
      /** The directories that paths are in. */
      readonly places?: readonly string[];
      /** One of the words that it was split into. */
      readonly isFragment?: boolean;
    };

/** One word of a command after expansion, as far as it is known. */
export interface ShellWord {
  readonly pieces: readonly Piece[];
}

export function wordFromText(text: string): ShellWord {
  return { pieces: [{ type: "text", text }] };
}

export function unknownWord(origin: Origin = "any", isSplit = false): ShellWord {
  return { pieces: [{ type: "unknown", origin, isSplit }] };
}

/** A word for paths below some places. */
export function pathsWord(places: readonly string[], isSplit = false): ShellWord {
  return { pieces: [{ type: "unknown", origin: "paths", isSplit, places }] };
}

/** The text of a word that is wholly known. */
export function literalText(word: ShellWord | undefined): string | undefined {
  if (!word) return undefined;
  let text = "";
  for (const piece of word.pieces) {
    if (piece.type !== "text") return undefined;
    text += piece.text;
  }
  return text;
}

/** The text before the first thing that is not known. */
export function knownStart(word: ShellWord): string {
  let text = "";
  for (const piece of word.pieces) {
    if (piece.type !== "text") return text;
    text += piece.text;
  }
  return text;
}

export function hasUnknown(word: ShellWord): boolean {
  return word.pieces.some(({ type }) => type === "unknown");
}

export function hasGlob(word: ShellWord): boolean {
  return word.pieces.some(({ type }) => type === "glob");
}

/** Whether it may become any number of words. */
export function isSplit(word: ShellWord): boolean {
  return word.pieces.some((piece) => piece.type === "unknown" && piece.isSplit);
}

/** Whether a program may take it for an option although it does not read like one. */
export function mayBeOption(word: ShellWord): boolean {
  if (isSplit(word)) return !(word.pieces.length === 1 && originOf(word) === "number");
  const first = word.pieces.find((piece) => piece.type !== "text" || piece.text !== "");
  return first !== undefined && first.type !== "text" && originOf(word) !== "number";
}

/** The origin of a word that is unknown as a whole. */
export function originOf(word: ShellWord): Origin | undefined {
  const [piece, ...more] = word.pieces;
  return piece?.type === "unknown" && more.length === 0 ? piece.origin : undefined;
}

/** True if a path in it may have been taken apart at blanks. */
export function isTakenApart(word: ShellWord): boolean {
  return isSplit(word) || word.pieces.some((piece) => piece.type === "unknown" && piece.isFragment);
}

/** The places of paths that are known only when the command runs. */
export function placesOf({ pieces: [piece] }: ShellWord): readonly string[] {
  return (piece?.type === "unknown" && piece.places) || [];
}

/** As a person would write it, with … for what is not known. */
export function wordSource(word: ShellWord): string {
  return word.pieces
    .map((piece) => (piece.type === "text" ? piece.text : piece.type === "glob" ? "*" : "…"))
    .join("");
}

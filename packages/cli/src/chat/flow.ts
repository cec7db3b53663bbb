import type { SubagentBlock } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { subagentHeading } from "./block-view.ts";

/** What a piece of the conversation is, as far as the space around it matters. */
export type PieceKind = "user" | "speech" | "action" | "box" | "request" | "note" | "aside" | "end";

/** Kinds that stand close to others of their kind. */
const compactKinds: ReadonlySet<PieceKind> = new Set(["action", "note"]);

export interface Piece {
  /** Lines with the same key continue one another. */
  readonly key: string;
  readonly kind: PieceKind;
  /** The sub-agents around it, outermost first. */
  readonly scope: readonly SubagentBlock[];
  readonly lines: readonly string[];
}

/** Lays pieces under one another: blank lines between them, sub-agents under a heading and a bar. */
export class Flow {
  #key = "";
  #kind: PieceKind | undefined;
  #scope: readonly string[] = [];
  /** A blank line is only printed when something follows it. */
  #isBlankDue = false;

  /** A copy that continues from here without changing this one. */
  fork(): Flow {
    const copy = new Flow();
    copy.#key = this.#key;
    copy.#kind = this.#kind;
    copy.#scope = this.#scope;
    copy.#isBlankDue = this.#isBlankDue;
    return copy;
  }

  lay({ key, kind, scope, lines }: Piece, format: Format): string[] {
    if (lines.length === 0) return [];
    const path = scope.map((subagent) => subagent.key);
    const shared = this.#sharedDepth(path);
    const isSameScope = shared === path.length && shared === this.#scope.length;
    const isClose = isSameScope && kind === this.#kind && compactKinds.has(kind);
    if (!(isSameScope && key === this.#key) && !isClose)
      this.#isBlankDue = this.#kind !== undefined;
    const printed: string[] = [];
    scope.slice(shared).forEach((subagent, index) => {
      this.#print(printed, bar(shared + index, format) + subagentHeading(subagent, format));
    });
    for (const line of lines)
      this.#print(printed, line === "" ? "" : bar(path.length, format) + line);
    this.#key = key;
    this.#kind = kind;
    this.#scope = path;
    return printed;
  }

  #print(printed: string[], line: string): void {
    if (line === "") {
      this.#isBlankDue = true;
      return;
    }
    if (this.#isBlankDue) printed.push("");
    this.#isBlankDue = false;
    printed.push(line);
  }

  #sharedDepth(path: readonly string[]): number {
    const different = path.findIndex((key, depth) => key !== this.#scope[depth]);
    return different < 0 ? path.length : different;
  }
}

/** The bar in front of what a sub-agent does. */
function bar(depth: number, format: Format): string {
  return format.colors.dim("│ ").repeat(depth);
}

import type { TokenLine } from "./token.ts";

const maximumCharacters = 2_000_000;

/** Tokens by language and code; the least recently used go when the keys get too long together. */
export class TokenCache {
  readonly #lines = new Map<string, readonly TokenLine[]>();
  #characters = 0;

  get(key: string): readonly TokenLine[] | undefined {
    const lines = this.#lines.get(key);
    if (lines === undefined) return undefined;
    this.#lines.delete(key);
    this.#lines.set(key, lines);
    return lines;
  }

  set(key: string, lines: readonly TokenLine[]): void {
    if (!this.#lines.has(key)) this.#characters += key.length;
    this.#lines.set(key, lines);
    for (const oldest of this.#lines.keys()) {
      if (this.#characters <= maximumCharacters) return;
      this.#lines.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

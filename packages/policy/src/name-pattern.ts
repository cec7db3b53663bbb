/** A part of a pattern for one name: a text, any one character, or any number of them. */
export type NamePart = { readonly text: string } | "one" | "many";

interface NamePatternOptions {
  /** Names with a dot in front must have it spelled out, as with globs of the shell. */
  readonly hidesDots?: boolean;
  readonly matchesCase?: boolean;
}

/** A pattern for one name. Each part is found from left to right once, so a match takes no more than length times length. */
export class NamePattern {
  /** The parts between stars; each is a list of characters, where undefined is any. */
  readonly #runs: readonly (readonly (string | undefined)[])[];
  /** The name itself where nothing in it is open. */
  readonly #text: string | undefined;
  readonly #hidesDots: boolean;
  readonly #matchesCase: boolean;

  constructor(parts: readonly NamePart[], options: NamePatternOptions = {}) {
    this.#matchesCase = options.matchesCase === true;
    this.#hidesDots = options.hidesDots === true;
    const runs: (string | undefined)[][] = [[]];
    for (const part of parts) {
      if (part === "many") runs.push([]);
      else if (part === "one") runs.at(-1)?.push(undefined);
      else runs.at(-1)?.push(...Array.from(this.#folded(part.text)));
    }
    this.#runs = runs;
    const [only = [], ...more] = runs;
    const isOpen = more.length > 0 || only.includes(undefined);
    this.#text = isOpen ? undefined : only.join("");
  }

  test(name: string): boolean {
    if (this.#hidesDots && name.startsWith(".")) return false;
    if (this.#text !== undefined) return this.#folded(name) === this.#text;
    const signs = Array.from(this.#folded(name));
    const [first = [], ...others] = this.#runs;
    const last = others.pop();
    if (!last) return signs.length === first.length && isAt(first, signs, 0);
    let index = first.length;
    const end = signs.length - last.length;
    if (index > end || !isAt(first, signs, 0) || !isAt(last, signs, end)) return false;
    for (const run of others) {
      while (index + run.length <= end && !isAt(run, signs, index)) index += 1;
      if (index + run.length > end) return false;
      index += run.length;
    }
    return true;
  }

  #folded(text: string): string {
    return this.#matchesCase ? text : text.toLowerCase();
  }
}

function isAt(
  run: readonly (string | undefined)[],
  signs: readonly string[],
  start: number,
): boolean {
  return run.every((sign, index) => sign === undefined || sign === signs[start + index]);
}

const cache = new Map<string, NamePattern>();

/** A pattern as policies write it: `*` is any part of a name. */
export function writtenPattern(source: string, options: NamePatternOptions = {}): NamePattern {
  const key = `${options.matchesCase === true}:${source}`;
  const known = cache.get(key);
  if (known) return known;
  const parts = source
    .split("*")
    .flatMap((text, index): NamePart[] => (index === 0 ? [{ text }] : ["many", { text }]));
  const pattern = new NamePattern(parts, options);
  if (cache.size < 1_000) cache.set(key, pattern);
  return pattern;
}

/** Code, or no text where the backticks are text themselves. */
export interface CodeSpan {
  readonly text: string | undefined;
  readonly end: number;
}

/** Finds code between equally long runs of backticks, looking at the whole text only once. */
export class CodeSpanFinder {
  readonly #text: string;
  /** Starts of all runs by their length, in order; made when first needed. */
  #starts: ReadonlyMap<number, number[]> | undefined;
  readonly #used = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The span that starts at these backticks; with `isOpen`, one that does not end goes to the end. */
  spanAt(offset: number, isOpen: boolean): CodeSpan {
    let start = offset;
    while (this.#text[start] === "`") start += 1;
    const length = start - offset;
    const close = this.#nextRun(length, start);
    if (close !== undefined) {
      return { text: codeFrom(this.#text.slice(start, close)), end: close + length };
    }
    if (!isOpen) return { text: undefined, end: start };
    const rest = this.#text.slice(start).replace(/`+$/, "");
    return { text: codeFrom(rest), end: this.#text.length };
  }

  #nextRun(length: number, after: number): number | undefined {
    this.#starts ??= runsOf(this.#text);
    const starts = this.#starts.get(length) ?? [];
    let index = this.#used.get(length) ?? 0;
    while ((starts[index] ?? Number.POSITIVE_INFINITY) < after) index += 1;
    this.#used.set(length, index);
    return starts[index];
  }
}

function runsOf(text: string): ReadonlyMap<number, number[]> {
  const starts = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const found = starts.get(run.length);
    if (found === undefined) starts.set(run.length, [index]);
    else found.push(index);
  }
  return starts;
}

/** Line ends are spaces, and one space on each side only keeps backticks apart. */
function codeFrom(raw: string): string {
  const text = raw.replaceAll("\n", " ");
  const isPadded = text.startsWith(" ") && text.endsWith(" ") && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}

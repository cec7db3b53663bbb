/** More than any CLI repeats; older ids are forgotten. */
const maxKnown = 50_000;
/** What is held back in case it is a repetition, in characters. */
const maxHeldText = 32 * 1024 * 1024;

export interface FilteredLine {
  readonly line: string;
  readonly message: unknown;
  readonly uuid: string | undefined;
}

/**
 * Lets every line of a CLI through once. A CLI that dials in again repeats what it has said, in order and
 * from the start of its process: what comes before a line that is known is known too, also where its id is
 * forgotten by now.
 */
export class ReplayFilter {
  readonly #known: Set<string>;
  #held: FilteredLine[] = [];
  #heldText = 0;
  #isAligned = false;

  constructor(known: Iterable<string> = []) {
    this.#known = new Set(known);
  }

  /** Lines that are new: this one, none, or those that were held back before it. */
  take(line: FilteredLine, isReplay: boolean): FilteredLine[] {
    const { uuid } = line;
    if (!isReplay) return [...this.endReplay(), ...this.#pass([line])];
    if (uuid === undefined) return this.#pass([line]);
    if (this.#known.has(uuid)) {
      this.#isAligned = true;
      this.#held = [];
      this.#heldText = 0;
      return [];
    }
    if (this.#isAligned || this.#known.size === 0) return this.#pass([line]);
    this.#held.push(line);
    this.#heldText += line.line.length;
    return this.#heldText > maxHeldText ? this.endReplay() : [];
  }

  /** The repetition is over: what was held back is new. */
  endReplay(): FilteredLine[] {
    this.#isAligned = false;
    const held = this.#held;
    this.#held = [];
    this.#heldText = 0;
    return this.#pass(held);
  }

  #pass(lines: readonly FilteredLine[]): FilteredLine[] {
    return lines.filter(({ uuid }) => {
      if (uuid === undefined) return true;
      if (this.#known.has(uuid)) return false;
      this.#known.add(uuid);
      for (const oldest of this.#known) {
        if (this.#known.size <= maxKnown) break;
        this.#known.delete(oldest);
      }
      return true;
    });
  }
}

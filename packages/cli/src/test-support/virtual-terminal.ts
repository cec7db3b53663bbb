import { Writable } from "node:stream";
import stringWidth from "string-width";

const ESCAPE = "\u001b";
const sequence = new RegExp(`${ESCAPE}\\[(\\?)?(\\d*)([A-Za-z])`, "y");

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** UTF-16 units; longer clusters do not come up in tests. */
const MAX_GRAPHEME_LENGTH = 64;

/** Understands what the screen writes, and holds what a person would see, with the scrollback. */
export class VirtualTerminal extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Everything that was written, with its escapes. */
  written = "";
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor({ columns = 80, rows = 24 }: { columns?: number; rows?: number } = {}) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
  }

  /** All rows, trailing blanks removed. */
  get text(): string {
    return this.#lines.map((line) => line.join("").trimEnd()).join("\n");
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  /** Breaks rows that are too wide now, as terminals do. */
  resize(columns: number): void {
    this.columns = columns;
    const rows = this.#lines.map((line) => Math.max(1, Math.ceil(line.length / columns)));
    const above = rows.slice(0, this.#row).reduce((sum, count) => sum + count, 0);
    this.#row = above + Math.floor(this.#column / columns);
    this.#column %= columns;
    const broken = this.#lines.flatMap((line, index) =>
      Array.from({ length: rows[index] ?? 1 }, (_, part) =>
        line.slice(part * columns, (part + 1) * columns),
      ),
    );
    this.#lines.splice(0, this.#lines.length, ...broken);
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    const text = String(chunk);
    this.written += text;
    let index = 0;
    while (index < text.length) index = this.#step(text, index);
    this.emit("drawn");
    done();
  }

  #step(text: string, index: number): number {
    sequence.lastIndex = index;
    const escape = sequence.exec(text);
    if (escape) {
      const [whole, isPrivate, count, letter] = escape;
      if (!isPrivate) this.#control(letter ?? "", Number(count || 1), count ?? "");
      return index + whole.length;
    }
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    if (character === ESCAPE)
      throw new Error(`unknown escape: ${JSON.stringify(text.slice(index, index + 8))}`);
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#down();
    else return index + this.#putFirst(text.slice(index, index + MAX_GRAPHEME_LENGTH));
    return index + character.length;
  }

  #control(letter: string, count: number, given: string): void {
    const top = Math.max(0, this.#lines.length - this.rows);
    if (letter === "A") this.#row = Math.max(top, this.#row - count);
    else if (letter === "G") this.#column = count - 1;
    else if (letter === "J") {
      this.#lines.length = this.#row + 1;
      this.#line().length = Math.min(this.#line().length, this.#column);
    } else if (letter !== "m") throw new Error(`unknown control: ${given}${letter}`);
  }

  /** Puts what a person sees as one character: Hangul may come in three parts that share two columns. */
  #putFirst(text: string): number {
    const [first] = graphemes.segment(text);
    const character = first?.segment ?? "";
    this.#put(character);
    return character.length;
  }

  #put(character: string): void {
    const width = stringWidth(character);
    if (this.#column + width > this.columns) {
      this.#column = 0;
      this.#down();
    }
    const line = this.#line();
    while (line.length < this.#column) line.push(" ");
    line[this.#column] = character;
    for (let extra = 1; extra < width; extra += 1) line[this.#column + extra] = "";
    this.#column += width;
  }

  #down(): void {
    this.#row += 1;
    if (this.#row === this.#lines.length) this.#lines.push([]);
  }

  #line(): string[] {
    return (this.#lines[this.#row] ??= []);
  }
}

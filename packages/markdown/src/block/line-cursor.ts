const tabStop = 4;

/** A place in a line, by character and by column: a tab reaches to the next multiple of four. */
export class LineCursor {
  readonly text: string;
  offset = 0;
  column = 0;
  /** Columns of a tab at `offset` that are not consumed yet. */
  #tabRest = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Columns of white space from here to the next character. */
  get indent(): number {
    let column = this.column;
    let offset = this.offset;
    if (this.#tabRest > 0) {
      column += this.#tabRest;
      offset += 1;
    }
    for (; offset < this.text.length; offset += 1) {
      const character = this.text[offset];
      if (character === "\t") column += tabStop - (column % tabStop);
      else if (character === " ") column += 1;
      else break;
    }
    return column - this.column;
  }

  /** Where the next character that is not white space stands. */
  get contentOffset(): number {
    let offset = this.offset;
    while (offset < this.text.length && isBlankCharacter(this.text[offset])) offset += 1;
    return offset;
  }

  get isBlank(): boolean {
    return this.contentOffset === this.text.length;
  }

  /** The rest of the line, with the rest of a tab as spaces. */
  get rest(): string {
    if (this.#tabRest === 0) return this.text.slice(this.offset);
    return " ".repeat(this.#tabRest) + this.text.slice(this.offset + 1);
  }

  /** Advances by at most so many columns of white space. */
  skipColumns(count: number): void {
    let left = count;
    while (left > 0 && isBlankCharacter(this.text[this.offset])) {
      const width =
        this.text[this.offset] === " " ? 1 : this.#tabRest || tabStop - (this.column % tabStop);
      const taken = Math.min(width, left);
      this.column += taken;
      left -= taken;
      this.#tabRest = width - taken;
      if (this.#tabRest === 0) this.offset += 1;
    }
  }

  skipIndent(): void {
    this.skipColumns(Number.POSITIVE_INFINITY);
  }

  /** Advances by so many characters that are not white space. */
  skipCharacters(count: number): void {
    this.offset += count;
    this.column += count;
  }
}

function isBlankCharacter(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

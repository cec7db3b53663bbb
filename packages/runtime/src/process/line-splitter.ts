/** One line of an agent's output, or the trace of one that was too long to keep. */
export type SplitLine =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "too_long"; readonly bytes: number };

export interface LineSplitterOptions {
  /** A line with more bytes is skipped to the next newline and reported once. */
  readonly maxBytes?: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/**
 * Splits bytes into lines at 0x0A only, whatever the chunks: never at a lone CR, U+2028 or U+2029,
 * which JSON text may contain. One CR before the newline, a byte order mark at the start and empty
 * lines are dropped. No more than `maxBytes` and one chunk are held.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /** The open line so far; empty while a line that is too long is being skipped. */
  #pieces: Buffer[] = [];
  #openBytes = 0;
  #isFirstLine = true;

  constructor(options: LineSplitterOptions = {}) {
    this.#maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
  }

  /** The lines that this chunk completes. The chunk must not change afterwards. */
  push(chunk: Buffer): SplitLine[] {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = this.#openBytes === 0 ? this.#cut(chunk, start, end) : this.#close(chunk, end);
      if (line) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#open(start === 0 ? chunk : chunk.subarray(start));
    return lines;
  }

  /** The last line, when the output ended without a newline. */
  end(): SplitLine[] {
    const line = this.#close(Buffer.alloc(0), 0);
    return line ? [line] : [];
  }

  #open(piece: Buffer): void {
    this.#openBytes += piece.length;
    if (this.#openBytes <= this.#maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Ends the open line with the first bytes of a chunk. */
  #close(chunk: Buffer, end: number): SplitLine | undefined {
    this.#open(chunk.subarray(0, end));
    const bytes = this.#openBytes;
    const whole = bytes <= this.#maxBytes ? Buffer.concat(this.#pieces, bytes) : undefined;
    this.#pieces = [];
    this.#openBytes = 0;
    return whole ? this.#cut(whole, 0, bytes) : this.#tooLong(bytes);
  }

  #cut(buffer: Buffer, start: number, end: number): SplitLine | undefined {
    if (end - start > this.#maxBytes) return this.#tooLong(end - start);
    const hasReturn = end > start && buffer[end - 1] === carriageReturn;
    let text = buffer.toString("utf8", start, hasReturn ? end - 1 : end);
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
    }
    return text === "" ? undefined : { type: "line", text };
  }

  #tooLong(bytes: number): SplitLine {
    this.#isFirstLine = false;
    return { type: "too_long", bytes };
  }
}

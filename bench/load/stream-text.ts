const FRAME_END = Buffer.from("\n\n");
const ID = Buffer.from("id: ");
const MARK = Buffer.from('"text":"@');

const LINE_BREAK = 0x0a;
const ZERO = 0x30;

/**
 * The text of one stream, as far as any reader has it. Each byte is looked at once, by whoever
 * brings it first; all other readers are compared with it, which costs next to nothing.
 */
export class StreamText {
  readonly #lastSeq: number;
  /** Where each frame ends, and when its event was made as far as it says so. */
  readonly ends: number[] = [];
  readonly madeAtMs: number[] = [];
  #bytes = Buffer.allocUnsafeSlow(1024 * 1024);
  #length = 0;
  #parsed = 0;
  #hasMarks = false;

  constructor(lastSeq: number) {
    this.#lastSeq = lastSeq;
  }

  /** Whether any event says when it was made. */
  get hasMarks(): boolean {
    return this.#hasMarks;
  }

  /** Where the last event ends, once it is there. */
  get end(): number | undefined {
    return this.ends[this.#lastSeq - 1];
  }

  /** Throws when a reader got something else than the others, or not the next event. */
  take(offset: number, chunk: Buffer): void {
    const known = Math.min(chunk.length, this.#length - offset);
    if (chunk.compare(this.#bytes, offset, offset + known, 0, known) !== 0) {
      throw new Error(`two readers got different bytes between ${offset} and ${offset + known}`);
    }
    if (known === chunk.length) return;
    this.#grow(this.#length + chunk.length - known);
    chunk.copy(this.#bytes, this.#length, known);
    this.#length += chunk.length - known;
    this.#parse();
  }

  #grow(size: number): void {
    if (size <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(size * 2);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }

  #parse(): void {
    const text = this.#bytes.subarray(0, this.#length);
    for (;;) {
      const end = text.indexOf(FRAME_END, this.#parsed);
      if (end === -1) return;
      const seq = this.#numberAfter(ID, this.#parsed);
      if (seq !== this.ends.length + 1) {
        throw new Error(`event ${this.ends.length + 1} is lost: ${seq} came instead`);
      }
      this.#note(text.subarray(this.#parsed, end));
      this.#parsed = end + FRAME_END.length;
      this.ends.push(this.#parsed);
    }
  }

  #note(frame: Buffer): void {
    const at = frame.indexOf(MARK);
    this.#hasMarks ||= at !== -1;
    const mark = at === -1 ? "" : frame.toString("latin1", at + MARK.length);
    this.madeAtMs.push(Number.parseFloat(mark));
  }

  /** The number at `start` behind a prefix; NaN when the prefix is not there. */
  #numberAfter(prefix: Buffer, start: number): number {
    const from = start + prefix.length;
    if (prefix.compare(this.#bytes, start, from) !== 0) return Number.NaN;
    let value = 0;
    for (let index = from; this.#bytes[index] !== LINE_BREAK; index += 1) {
      value = value * 10 + (this.#bytes[index] ?? Number.NaN) - ZERO;
    }
    return value;
  }
}

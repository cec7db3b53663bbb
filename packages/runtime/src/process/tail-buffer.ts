/** Keeps the last bytes of a stream, and only those. */
export class TailBuffer {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #seenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#seenBytes += chunk.length;
    this.#chunks.push(chunk);
    this.#keptBytes += chunk.length;
    // Cutting only at twice the limit copies each byte about once, however small the chunks.
    if (this.#keptBytes > 2 * this.#maxBytes) this.#cut();
  }

  /** The last bytes as text, without the half of a character that the cut may have left. */
  toString(): string {
    const bytes = this.#cut();
    const isCut = this.#seenBytes > this.#maxBytes;
    return bytes.toString("utf8", isCut ? firstCharacter(bytes) : 0);
  }

  #cut(): Buffer {
    // A copy, so that all before the tail can be freed.
    const tail = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#maxBytes));
    this.#chunks = [tail];
    this.#keptBytes = tail.length;
    return tail;
  }
}

/** Bytes 10xxxxxx continue a character that began before them. */
function firstCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}

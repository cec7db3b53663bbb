import type { FrameRun } from "@turnwire/wire";

/** Events without frames take no bytes, but a place. */
const MAX_EVENTS = 4096;

/**
 * Consecutive frames in one buffer. Promise: bytes that were handed out never change, because
 * frames are only ever added behind them; so readers share views without copies.
 */
export class FramePage {
  readonly first: number;
  readonly #bytes: Buffer;
  readonly #ends: number[] = [];
  #used = 0;

  constructor(first: number, size: number) {
    this.first = first;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get last(): number {
    return this.first + this.#ends.length - 1;
  }

  get count(): number {
    return this.#ends.length;
  }

  /** What the page costs in memory, filled or not. */
  get size(): number {
    return this.#bytes.length;
  }

  has(seq: number): boolean {
    return seq >= this.first && seq <= this.last;
  }

  /** Adds the next frame; false when it does not fit. */
  append(frame: Buffer): boolean {
    if (this.#used + frame.length > this.#bytes.length) return false;
    if (this.#ends.length === MAX_EVENTS) return false;
    this.#used += frame.copy(this.#bytes, this.#used);
    this.#ends.push(this.#used);
    return true;
  }

  /** The frames after `seq`, as many as `maxBytes` hold but at least one; the page must have `seq + 1`. */
  after(seq: number, maxBytes: number): FrameRun {
    const index = seq + 1 - this.first;
    const start = this.#ends[index - 1] ?? 0;
    const lastIndex =
      this.#used - start <= maxBytes
        ? this.#ends.length - 1
        : this.#fitting(index, start + maxBytes);
    return {
      bytes: this.#bytes.subarray(start, this.#ends[lastIndex]),
      last: this.first + lastIndex,
    };
  }

  /** The last index from `index` on that ends within `limit`, or `index` itself. */
  #fitting(index: number, limit: number): number {
    let low = index;
    let high = this.#ends.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#ends[middle] ?? Infinity) <= limit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

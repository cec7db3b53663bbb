import { FramePage } from "./frame-page.ts";

export interface FrameRingLimits {
  /** Frames that are kept although every reader has them: most readers that come back are near. */
  readonly maxEvents: number;
  /** Never more than this, whatever readers still need. */
  readonly maxBytes: number;
}

const PAGE_BYTES = 64 * 1024;

/** The newest frames of a log, in pages; the oldest page goes when no reader waits for it, or for room. */
export class FrameRing {
  readonly #limits: FrameRingLimits;
  readonly #pages: FramePage[] = [];
  #next: number;
  #events = 0;
  #bytes = 0;

  constructor(next: number, limits: FrameRingLimits) {
    this.#next = next;
    this.#limits = limits;
  }

  append(frame: Buffer): void {
    if (!this.#pages.at(-1)?.append(frame)) {
      const page = new FramePage(this.#next, Math.max(PAGE_BYTES, frame.length));
      page.append(frame);
      this.#pages.push(page);
      this.#bytes += page.size;
      this.#evictWhile(() => this.#bytes > this.#limits.maxBytes);
    }
    this.#next += 1;
    this.#events += 1;
  }

  /** Every reader has the frames up to and with `seq`. */
  release(seq: number): void {
    const { maxEvents } = this.#limits;
    this.#evictWhile((oldest) => oldest.last <= seq && this.#events - oldest.count >= maxEvents);
  }

  /** The page that holds `seq`, while the ring still reaches back to it. */
  find(seq: number): FramePage | undefined {
    const newest = this.#pages.at(-1);
    if (newest?.has(seq)) return newest;
    let low = 0;
    let high = this.#pages.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const page = this.#pages[middle];
      if (!page || page.has(seq)) return page;
      if (seq < page.first) high = middle - 1;
      else low = middle + 1;
    }
    return undefined;
  }

  #evictWhile(isDue: (oldest: FramePage) => boolean): void {
    let oldest = this.#pages[0];
    while (oldest && this.#pages.length > 1 && isDue(oldest)) {
      this.#pages.shift();
      this.#events -= oldest.count;
      this.#bytes -= oldest.size;
      oldest = this.#pages[0];
    }
  }
}

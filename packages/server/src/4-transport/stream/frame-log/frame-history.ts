import type { FrameSourceLog, Positioned } from "./frame-log.ts";
import { FramePage } from "./frame-page.ts";

/** Pages start at multiples of this where they can, so that readers that come from different places share them. */
const BLOCK_EVENTS = 256;
const PAGE_BYTES = 256 * 1024;
/** Pages are searched one by one. */
const MAX_PAGES = 64;

export interface FrameHistoryOptions<Event extends Positioned> {
  readonly log: Pick<FrameSourceLog<Event>, "head" | "recent" | "read">;
  readonly encode: (event: Event) => Buffer;
  /** Of pages that are kept; the newest one is kept whatever its size. */
  readonly maxBytes: number;
}

/**
 * Frames that live readers no longer need: encoded again when somebody comes from far behind.
 * Promise: a reader that reads on to the end reads each event from the log once, whatever the sizes;
 * at most one page per block of events is read beside that, and none when others read along.
 */
export class FrameHistory<Event extends Positioned> {
  readonly #log: FrameHistoryOptions<Event>["log"];
  readonly #encode: FrameHistoryOptions<Event>["encode"];
  readonly #maxBytes: number;
  /** By the seq before their first wanted event, least recently used first. */
  readonly #pages = new Map<number, FramePage>();
  readonly #loading = new Map<number, Promise<FramePage | undefined>>();
  /** Blocks whose first page was cut by its bytes, and the seq it ends with. */
  readonly #cuts = new Map<number, number>();
  #bytes = 0;

  constructor(options: FrameHistoryOptions<Event>) {
    this.#log = options.log;
    this.#encode = options.encode;
    this.#maxBytes = options.maxBytes;
  }

  /** The page with `seq`; undefined when the log has it no more. At once while the log has it in memory. */
  find(seq: number): FramePage | undefined | Promise<FramePage | undefined> {
    const cached = this.#cached(seq);
    if (cached) return cached;
    const start = this.#startFor(seq);
    const loading = this.#loading.get(start);
    // What is being read may hold it; if not, the next look knows where that page was cut.
    if (loading) return loading.then(() => this.find(seq));
    const page = this.#load(start);
    return page instanceof Promise
      ? page.then((loaded) => this.#pick(loaded, seq))
      : this.#pick(page, seq);
  }

  /**
   * A block's first page is the one that most readers can share; beyond its cut a page starts where
   * it is wanted. Memory may begin in the middle of a block; what it has need not wait for the store.
   */
  #startFor(seq: number): number {
    const before = seq - 1;
    const block = blockOf(before);
    const cut = this.#cuts.get(block);
    if (cut !== undefined && cut < seq) return before;
    const isAtHand = (start: number): boolean => this.#log.recent(start, 0) !== undefined;
    return !isAtHand(block) && isAtHand(before) ? before : block;
  }

  #pick(
    page: FramePage | undefined,
    seq: number,
  ): FramePage | undefined | Promise<FramePage | undefined> {
    if (!page || page.first > seq) return undefined;
    // A page that was cut before `seq` is now in `#cuts`, so the next look starts at `seq`.
    return page.has(seq) ? page : this.find(seq);
  }

  #cached(seq: number): FramePage | undefined {
    for (const [start, page] of this.#pages) {
      if (!page.has(seq)) continue;
      this.#pages.delete(start);
      this.#pages.set(start, page);
      return page;
    }
    return undefined;
  }

  #load(start: number): FramePage | undefined | Promise<FramePage | undefined> {
    const count = BLOCK_EVENTS - (start % BLOCK_EVENTS);
    const end = Math.min(start + count, this.#log.head);
    const recent = this.#log.recent(start, count, PAGE_BYTES);
    if (recent) return this.#keep(start, end, recent);
    const page = this.#log
      .read(start, count, PAGE_BYTES)
      .then((events) => this.#keep(start, end, events))
      .finally(() => this.#loading.delete(start));
    this.#loading.set(start, page);
    return page;
  }

  /** `end` is the last seq that the page has unless it was cut by its bytes. */
  #keep(start: number, end: number, events: readonly Event[]): FramePage | undefined {
    const [first] = events;
    if (!first) return undefined;
    const page = pageFrom(first.seq, events.map(this.#encode));
    if (start === blockOf(start) && page.last < end) this.#cuts.set(start, page.last);
    this.#bytes += page.size - (this.#pages.get(start)?.size ?? 0);
    this.#pages.delete(start);
    this.#pages.set(start, page);
    for (const [key, oldest] of this.#pages) {
      const isFull = this.#bytes > this.#maxBytes || this.#pages.size > MAX_PAGES;
      if (!isFull || key === start) break;
      this.#pages.delete(key);
      this.#bytes -= oldest.size;
    }
    return page;
  }
}

function blockOf(seq: number): number {
  return seq - (seq % BLOCK_EVENTS);
}

function pageFrom(first: number, frames: readonly Buffer[]): FramePage {
  const page = new FramePage(
    first,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  );
  for (const frame of frames) page.append(frame);
  return page;
}

import type { EventLog } from "../2-session/event-log.ts";
import type { StoredEvent } from "../2-session/store.ts";
import { FramePage } from "./frame-page.ts";

/** Pages start at multiples of this, so that readers that come from different places share them. */
const PAGE_EVENTS = 256;
const PAGE_BYTES = 1024 * 1024;

export interface FrameHistoryOptions {
  readonly log: Pick<EventLog, "recent" | "read">;
  readonly encode: (event: StoredEvent) => Buffer;
  readonly maxBytes: number;
}

/** Frames that live readers no longer need: encoded again when somebody comes from far behind. */
export class FrameHistory {
  readonly #log: FrameHistoryOptions["log"];
  readonly #encode: FrameHistoryOptions["encode"];
  readonly #maxBytes: number;
  /** By the seq before the first wanted event, least recently used first. */
  readonly #pages = new Map<number, FramePage>();
  readonly #loading = new Map<number, Promise<FramePage | undefined>>();
  #bytes = 0;

  constructor(options: FrameHistoryOptions) {
    this.#log = options.log;
    this.#encode = options.encode;
    this.#maxBytes = options.maxBytes;
  }

  /** The page with `seq`; undefined when the log has it no more. At once while the log has it in memory. */
  find(seq: number): FramePage | undefined | Promise<FramePage | undefined> {
    return this.#findFrom(this.#startFor(seq), seq);
  }

  /** Memory may begin in the middle of a page; what it has need not wait for the store. */
  #startFor(seq: number): number {
    const before = seq - 1;
    const aligned = before - (before % PAGE_EVENTS);
    const isAtHand = (start: number): boolean =>
      this.#pages.has(start) || this.#log.recent(start, 0) !== undefined;
    return !isAtHand(aligned) && isAtHand(before) ? before : aligned;
  }

  #findFrom(start: number, seq: number): FramePage | undefined | Promise<FramePage | undefined> {
    const page = this.#cached(start) ?? this.#load(start);
    return page instanceof Promise
      ? page.then((loaded) => this.#pick(loaded, seq))
      : this.#pick(page, seq);
  }

  /** A page that was cut short, by its bytes or by the log's end then, is continued by the next one. */
  #pick(
    page: FramePage | undefined,
    seq: number,
  ): FramePage | undefined | Promise<FramePage | undefined> {
    if (!page || page.first > seq) return undefined;
    return page.has(seq) ? page : this.#findFrom(page.last, seq);
  }

  #cached(start: number): FramePage | undefined {
    const page = this.#pages.get(start);
    if (page) {
      this.#pages.delete(start);
      this.#pages.set(start, page);
    }
    return page;
  }

  #load(start: number): FramePage | undefined | Promise<FramePage | undefined> {
    const loading = this.#loading.get(start);
    if (loading) return loading;
    const count = PAGE_EVENTS - (start % PAGE_EVENTS);
    const recent = this.#log.recent(start, count);
    if (recent) return this.#keep(start, recent);
    const reading = this.#log
      .read(start, count)
      .then((events) => this.#keep(start, events))
      .finally(() => this.#loading.delete(start));
    this.#loading.set(start, reading);
    return reading;
  }

  #keep(start: number, events: readonly StoredEvent[]): FramePage | undefined {
    const [first] = events;
    if (!first) return undefined;
    const page = pageFrom(first.seq, this.#framesOf(events));
    this.#pages.set(start, page);
    this.#bytes += page.size;
    for (const [key, oldest] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#pages.delete(key);
      this.#bytes -= oldest.size;
    }
    return page;
  }

  #framesOf(events: readonly StoredEvent[]): Buffer[] {
    const frames: Buffer[] = [];
    let bytes = 0;
    for (const event of events) {
      const frame = this.#encode(event);
      bytes += frame.length;
      if (frames.length > 0 && bytes > PAGE_BYTES) break;
      frames.push(frame);
    }
    return frames;
  }
}

function pageFrom(first: number, frames: readonly Buffer[]): FramePage {
  const page = new FramePage(
    first,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  );
  for (const frame of frames) page.append(frame);
  return page;
}

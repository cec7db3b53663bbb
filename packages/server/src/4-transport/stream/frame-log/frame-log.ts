import type { LogEnd } from "@turnwire/log";
import { type FrameRead, SLICE_BYTES } from "@turnwire/wire";
import { FrameHistory } from "./frame-history.ts";
import type { FramePage } from "./frame-page.ts";
import { writePace } from "./write-pace.ts";
import { FrameRing, type FrameRingLimits } from "./frame-ring.ts";

/** What has a place in a log. */
export interface Positioned {
  readonly seq: number;
}

export interface FrameLogListener<Event> {
  onEvents(events: readonly Event[]): void;
  onEnd(reason: LogEnd): void;
}

/** A log that can become frames: an event log, or one with something added to its events. */
export interface FrameSourceLog<Event extends Positioned> {
  readonly head: number;
  recent(after: number, limit: number, maxBytes?: number): readonly Event[] | undefined;
  read(after: number, limit: number, maxBytes?: number): Promise<readonly Event[]>;
  subscribe(listener: FrameLogListener<Event>): () => void;
}

/** Reads on, and answers with the seq it has come to. */
type FrameListener = () => number;

/** Calls every listener once. */
interface DeliveryRound {
  readonly listeners: Iterator<FrameListener>;
  slowest: number;
  workedMs: number;
  /** Something came since the first listener was called. */
  isStale: boolean;
}

export interface FrameLogOptions<Event extends Positioned> {
  readonly log: FrameSourceLog<Event>;
  /** All frames of one event. */
  readonly encode: (event: Event) => Buffer;
  readonly ring: FrameRingLimits;
  readonly historyBytes: number;
}

/** One read hands out at most this much; only a frame that is larger comes alone and whole. */
const RUN_BYTES = SLICE_BYTES;
/** Listeners that are called between two looks at the clock. */
const STEP_LISTENERS = 8;
/** The pause between two rounds of deliveries, as a share of the round, and the longest there is. */
const REST_SHARE = 1 / 3;
const MAX_REST_MS = 16;

const CAUGHT_UP: FrameRead = { type: "caught_up" };
const GONE: FrameRead = { type: "gone" };

/**
 * A log in one wire format. Each event is encoded once, whatever the number of readers; a reader is
 * only a cursor, and live frames and replayed ones come the same way.
 */
export class FrameLog<Event extends Positioned> {
  readonly #log: FrameSourceLog<Event>;
  readonly #ring: FrameRing;
  readonly #history: FrameHistory<Event>;
  readonly #listeners = new Set<FrameListener>();
  readonly #leaveLog: () => void;
  #newest: { readonly after: number; readonly read: FrameRead } | undefined;
  #end: LogEnd | undefined;
  #isScheduled = false;
  #round: DeliveryRound | undefined;
  #restUntil = 0;

  constructor(options: FrameLogOptions<Event>) {
    const { encode } = options;
    this.#log = options.log;
    this.#ring = new FrameRing(options.log.head + 1, options.ring);
    this.#history = new FrameHistory({
      log: options.log,
      encode,
      maxBytes: options.historyBytes,
    });
    this.#leaveLog = options.log.subscribe({
      onEvents: (events) => {
        for (const event of events) this.#ring.append(encode(event));
        this.#newest = undefined;
        if (this.#listeners.size === 0) this.#ring.release(this.#log.head);
        this.#schedule();
      },
      onEnd: (reason) => {
        this.#end = reason;
        this.#schedule();
      },
    });
  }

  /** Why no more events will come; what is there can still be read. */
  get end(): LogEnd | undefined {
    return this.#end;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Frames after `seq`: at once where memory has them, else when the store has been read. */
  after(seq: number): FrameRead | Promise<FrameRead> {
    if (seq >= this.#log.head) return CAUGHT_UP;
    if (this.#newest?.after === seq) return this.#newest.read;
    const live = this.#ring.find(seq + 1);
    if (live) {
      const read = readFrom(live, seq);
      this.#newest = { after: seq, read };
      return read;
    }
    const page = this.#history.find(seq + 1);
    return page instanceof Promise
      ? page.then((found) => readFrom(found, seq))
      : readFrom(page, seq);
  }

  /** Calls back when there may be more to read, or when the log has ended. */
  subscribe(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of the log. */
  close(): void {
    this.#leaveLog();
    this.#listeners.clear();
    writePace.cancel(this.#deliver);
  }

  /**
   * What one tick brings is delivered together. After a long round the next one waits a while, so
   * that a crowd of readers leaves a quarter of the time to everything else.
   */
  #schedule(): void {
    if (this.#round) this.#round.isStale = true;
    if (this.#isScheduled || this.#listeners.size === 0) return;
    this.#isScheduled = true;
    const restMs = this.#restUntil - performance.now();
    if (restMs < 1) writePace.later(this.#deliver);
    else setTimeout(() => writePace.run(this.#deliver), restMs);
  }

  /** A part of a round; a long one takes several ticks. */
  readonly #deliver = (): boolean => {
    const startedAt = performance.now();
    this.#round ??= {
      listeners: this.#listeners.values(),
      slowest: this.#log.head,
      workedMs: 0,
      isStale: false,
    };
    const round = this.#round;
    let isOver = false;
    for (let count = 0; count < STEP_LISTENERS && !isOver; count += 1) {
      const next = round.listeners.next();
      if (next.done) isOver = true;
      else round.slowest = Math.min(round.slowest, next.value());
    }
    const endedAt = performance.now();
    round.workedMs += endedAt - startedAt;
    if (!isOver) return true;
    this.#ring.release(round.slowest);
    this.#restUntil = endedAt + Math.min(round.workedMs * REST_SHARE, MAX_REST_MS);
    this.#round = undefined;
    this.#isScheduled = false;
    if (round.isStale) this.#schedule();
    return false;
  };
}

function readFrom(page: FramePage | undefined, seq: number): FrameRead {
  return page ? { type: "frames", ...page.after(seq, RUN_BYTES) } : GONE;
}

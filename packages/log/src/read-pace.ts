/** Some milliseconds of reading, parsing and folding. */
const TICK_BYTES = 512 * 1024;
/** What a read costs beside its bytes. */
const READ_COST = 4 * 1024;

interface WaitingRead {
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Shares the event loop among all who read logs: together they get so many bytes per tick, in the
 * order they asked. What a reader does with a page as soon as it has it is thereby bounded too, so
 * others wait for a tick at most, however many readers there are and however long the logs.
 */
export class ReadPace {
  readonly #tickBytes: number;
  readonly #waiting: WaitingRead[] = [];
  #left: number;
  #isScheduled = false;

  constructor(tickBytes = TICK_BYTES) {
    this.#tickBytes = tickBytes;
    this.#left = tickBytes;
  }

  /** Reads when there is room for `maxBytes`, at once where this tick has some left; `sizeOf` returns what it took. */
  async read<Page>(
    maxBytes: number,
    read: () => Page | Promise<Page>,
    sizeOf: (page: Page) => number,
  ): Promise<Page> {
    const reserved = Math.min(maxBytes, this.#tickBytes);
    await this.#turn(reserved);
    let used = 0;
    try {
      const page = await read();
      used = sizeOf(page);
      return page;
    } finally {
      this.#left = Math.min(this.#tickBytes, this.#left + reserved - used - READ_COST);
      this.#startWaiting();
    }
  }

  async #turn(bytes: number): Promise<void> {
    this.#schedule();
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= bytes;
      return;
    }
    await new Promise<void>((start) => {
      this.#waiting.push({ bytes, start });
    });
  }

  #startWaiting(): void {
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#left -= next.bytes;
      next.start();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.#tickBytes;
      this.#startWaiting();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/** One for all logs of this thread, since they share its event loop. */
export const readPace = new ReadPace();

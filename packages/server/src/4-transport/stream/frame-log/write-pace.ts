/** Some milliseconds of writing; then everything else has its turn. */
const TICK_MS = 5;

/** Does a little and returns whether there is more to do. */
export type PacedWork = () => boolean;

/**
 * Shares the event loop among all who write to readers: together they get so much time per tick, in
 * the order they asked, and what does not fit continues in the next. So a thousand readers that can
 * all take something delay everything else by a tick at most.
 */
export class WritePace {
  readonly #nowMs: () => number;
  readonly #waiting = new Set<PacedWork>();
  #leftMs = TICK_MS;
  #isScheduled = false;
  #isWorking = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Starts at once where this tick has time left and nothing else waits, else in a later tick. */
  run(work: PacedWork): void {
    this.later(work);
    if (this.#waiting.size === 1 && this.#leftMs > 0 && !this.#isWorking) this.#step(work);
  }

  /** Starts in the next tick, or a later one. Work that waits already keeps its place. */
  later(work: PacedWork): void {
    this.#waiting.add(work);
    this.#schedule();
  }

  cancel(work: PacedWork): void {
    this.#waiting.delete(work);
  }

  #work(): void {
    // What is added behind is reached too, as long as there is time.
    for (const work of this.#waiting) {
      if (this.#leftMs <= 0) break;
      this.#step(work);
    }
  }

  #step(work: PacedWork): void {
    this.#waiting.delete(work);
    this.#isWorking = true;
    const startedAt = this.#nowMs();
    try {
      if (work()) this.#waiting.add(work);
    } finally {
      this.#isWorking = false;
      this.#leftMs -= this.#nowMs() - startedAt;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#leftMs = TICK_MS;
      if (this.#waiting.size === 0) return;
      // Before the work, which may throw.
      this.#schedule();
      this.#work();
    });
  }
}

/** One for all readers of this thread, since they share its event loop. */
export const writePace = new WritePace();

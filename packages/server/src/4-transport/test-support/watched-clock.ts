import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";

/** A manual clock that reports when somebody starts to wait. */
export class WatchedClock extends ManualClock {
  readonly #waits: number[] = [];
  #look: () => void = () => undefined;

  override wait(ms: number, signal?: AbortSignal): Promise<void> {
    this.#waits.push(ms);
    this.#look();
    return super.wait(ms, signal);
  }

  /** Resolves when somebody waits, or has waited, for that long. */
  hasWaiter(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.#waits.includes(ms)) resolve();
      };
      this.#look();
    });
  }

  /** Beats a server's heart: moves on second by second. */
  async beat(count: number): Promise<void> {
    for (let beat = 0; beat < count; beat++) await this.advance(1_000);
  }
}

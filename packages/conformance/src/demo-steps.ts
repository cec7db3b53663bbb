import type { DemoPace } from "@turnwire/runtime/demo";

/** A turn that is played step by step. */
interface SteppedTurn {
  resume: () => void;
}

/**
 * Lets a test drive the demo agent: a step is one message of a turn, such as a word, the start of a
 * tool or a line of its output. The sessions that share it share its steps, first come, first served.
 * Tasks beside a turn are not held.
 */
export class DemoSteps implements DemoPace {
  #left = 0;
  #isFree = false;
  #hasEnded = false;
  /** Turns with a message that waits to be let through, in the order of their arrival. */
  readonly #held = new Set<SteppedTurn>();
  /** Turns whose message was let through and that have not come to the next. */
  readonly #moving = new Set<SteppedTurn>();
  readonly #settle: (() => void)[] = [];

  /**
   * Lets so many messages through, and resolves when the agent stands still before the next, or when
   * a turn ends first: then what is left of the steps is dropped. A turn that asks moves until it is answered.
   */
  next(count = 1): Promise<void> {
    this.#isFree = false;
    this.#hasEnded = false;
    this.#left += count;
    return new Promise((resolve) => {
      this.#settle.push(resolve);
      this.#advance();
    });
  }

  /** Lets everything through, until the next call of `next`. */
  run(): void {
    this.#isFree = true;
    for (const turn of this.#held) this.#release(turn);
    this.#finish();
  }

  async pause(): Promise<void> {}

  async *play<Message>(
    messages: AsyncGenerator<Message>,
    signal: AbortSignal,
  ): AsyncGenerator<Message, void, void> {
    const turn: SteppedTurn = { resume: () => {} };
    const stop = (): void => this.#release(turn);
    signal.addEventListener("abort", stop);
    try {
      for await (const message of messages) {
        await this.#hold(turn, signal);
        if (signal.aborted) return;
        yield message;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      this.#moving.delete(turn);
      this.#hasEnded = true;
      this.#advance();
    }
  }

  #hold(turn: SteppedTurn, signal: AbortSignal): Promise<void> {
    this.#moving.delete(turn);
    if (this.#isFree || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      turn.resume = resolve;
      this.#held.add(turn);
      this.#advance();
    });
  }

  #release(turn: SteppedTurn): void {
    this.#held.delete(turn);
    turn.resume();
  }

  #advance(): void {
    for (const turn of this.#held) {
      if (this.#left === 0) break;
      this.#left -= 1;
      this.#moving.add(turn);
      this.#release(turn);
    }
    const isSpent = this.#left === 0 || this.#hasEnded;
    if (this.#moving.size === 0 && isSpent) this.#finish();
  }

  #finish(): void {
    this.#left = 0;
    for (const settle of this.#settle.splice(0)) settle();
  }
}

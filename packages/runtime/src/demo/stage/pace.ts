import { setImmediate as nextLoop } from "node:timers/promises";
import type { Clock } from "@turnwire/base";

/** The demo agent's tempo. */
export interface DemoPace {
  /** Resolves after so many ticks, or when the signal aborts; one tick is about one word. */
  pause(ticks: number, signal: AbortSignal): Promise<void>;
  /** Passes on the messages of a turn, each in its time; ends early when the signal aborts. */
  play<Message>(
    messages: AsyncGenerator<Message>,
    signal: AbortSignal,
  ): AsyncGenerator<Message, void, void>;
}

/** How much can be said without delay before other work gets its chance. */
export const ticksPerLoop = 64;

/** Waits for each word; without delay it costs no timer. */
export class TimedPace implements DemoPace {
  readonly #clock: Clock;
  readonly #delayMs: number;
  #ticks = 0;

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  async pause(ticks: number, signal: AbortSignal): Promise<void> {
    if (this.#delayMs > 0) return this.#clock.wait(this.#delayMs * ticks, signal);
    this.#ticks += ticks;
    if (this.#ticks < ticksPerLoop) return;
    this.#ticks = 0;
    await nextLoop();
  }

  play<Message>(messages: AsyncGenerator<Message>): AsyncGenerator<Message, void, void> {
    return messages;
  }
}

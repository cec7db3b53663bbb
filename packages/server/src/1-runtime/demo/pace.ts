import { setImmediate as nextLoop } from "node:timers/promises";
import type { Clock } from "@turnwire/base";

/** How much can be said without delay before other work gets its chance. */
const ticksPerLoop = 64;

/** The demo agent's tempo: one tick is about one word. */
export class Pace {
  readonly clock: Clock;
  readonly #delayMs: number;
  #ticks = 0;

  constructor(clock: Clock, delayMs: number) {
    this.clock = clock;
    this.#delayMs = delayMs;
  }

  /** Lets some ticks pass, or less when the signal aborts; without delay it costs no timer. */
  async pause(ticks: number, signal: AbortSignal): Promise<void> {
    if (this.#delayMs > 0) await this.clock.wait(this.#delayMs * ticks, signal);
    else await this.breathe(ticks);
  }

  /** Hurries on, but lets the rest of the process live. */
  async breathe(ticks: number): Promise<void> {
    this.#ticks += ticks;
    if (this.#ticks < ticksPerLoop) return;
    this.#ticks = 0;
    await nextLoop();
  }
}

import type { AbortSignal } from "./abort-signal.ts";

/** Limits how many hold it at once; the others wait in the order they came. */
export class Semaphore {
  readonly #limit: number;
  #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many wait for a permit. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a permit if one is free. */
  tryAcquire(): boolean {
    if (this.#taken >= this.#limit) return false;
    this.#taken += 1;
    return true;
  }

  /** Takes a permit, after waiting for one if need be; rejects with the signal's reason when it aborts first. */
  async acquire(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw signal.reason;
    if (!this.tryAcquire()) await this.#wait(signal);
  }

  /** Hands the permit to whoever has waited longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  /** Runs the action while holding a permit. */
  async run<Value>(action: () => Promise<Value> | Value): Promise<Value> {
    await this.acquire();
    try {
      return await action();
    } finally {
      this.release();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        signal?.removeEventListener("abort", leave);
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave);
      this.#waiting.push(enter);
    });
  }
}

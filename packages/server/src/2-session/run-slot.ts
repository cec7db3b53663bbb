/** Limits how many agents live at once. Who finds none free asks an idle one to make room, or waits. */
export class RunSlots {
  readonly #limit: number;
  readonly #evictIdle: () => boolean;
  #waiting: (() => void)[] = [];
  #taken = 0;

  /** `evictIdle` starts the hibernation of an idle session; true when it found one. */
  constructor(limit: number, evictIdle: () => boolean) {
    this.#limit = limit;
    this.#evictIdle = evictIdle;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Rejects when the signal aborts before a slot is free. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limit) {
      this.#taken += 1;
      return;
    }
    const turn = new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
    });
    this.#evictIdle();
    await turn;
  }

  /** Hands the slot to who waits longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  /** A session turned idle: somebody may be waiting for its slot. */
  offerIdle(): void {
    if (this.#waiting.length > 0) this.#evictIdle();
  }
}

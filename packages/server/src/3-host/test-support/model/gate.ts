/** A place where calls wait while it is slow, until the history lets them pass. */
export class Gate {
  #isSlow = false;
  #waiting: (() => void)[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  slowDown(): void {
    this.#isSlow = true;
  }

  /** Lets everything that waits pass; what comes later waits again while the gate is slow. */
  release(): void {
    for (const pass of this.#waiting.splice(0)) pass();
  }

  /** Holds nothing back any more. */
  open(): void {
    this.#isSlow = false;
    this.release();
  }

  pass(): Promise<void> {
    if (!this.#isSlow) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

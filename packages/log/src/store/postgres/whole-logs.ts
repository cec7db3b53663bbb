/** Sessions whose logs this process has looked through for missing events, so many of the newest as a host uses at a time. */
export class WholeLogs {
  readonly #limit: number;
  /** The one that was named longest ago is the first. */
  readonly #ids = new Set<string>();

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  has(sessionId: string): boolean {
    return this.#ids.has(sessionId);
  }

  add(sessionId: string): void {
    this.#ids.delete(sessionId);
    this.#ids.add(sessionId);
    const [oldest] = this.#ids;
    if (this.#ids.size > this.#limit && oldest !== undefined) this.#ids.delete(oldest);
  }

  delete(sessionId: string): void {
    this.#ids.delete(sessionId);
  }
}

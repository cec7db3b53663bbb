/** So long requests are begun in one turn of the event loop; then everything else has its turn. */
const TURN_MS = 5;

/**
 * Spreads requests that arrive all at once, as after a restart, over turns of the event loop: without
 * it, a thousand of them are answered in one, and nothing else happens meanwhile.
 */
export class RequestPace {
  readonly #nowMs: () => number;
  readonly #waiting: (() => void)[] = [];
  /** When this turn of the event loop began its first request. */
  #startedAtMs: number | undefined;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Begins at once where this turn has time left and nothing waits, else in a later turn, in order. */
  begin(request: () => void): void {
    if (this.#waiting.length > 0 || !this.#hasTime()) this.#waiting.push(request);
    else request();
  }

  #hasTime(): boolean {
    if (this.#startedAtMs === undefined) {
      this.#startedAtMs = this.#nowMs();
      setImmediate(() => this.#nextTurn());
    }
    return this.#nowMs() - this.#startedAtMs < TURN_MS;
  }

  #nextTurn(): void {
    this.#startedAtMs = undefined;
    this.#beginWaiting();
  }

  /** One request per microtask: what the ones before have put off counts as time of this turn, too. */
  #beginWaiting(): void {
    if (this.#waiting.length === 0 || !this.#hasTime()) return;
    queueMicrotask(() => this.#beginWaiting());
    this.#waiting.shift()?.();
  }
}

/** Which turns of a thread and its sub-agents run, for those who wait for one to begin or to end. */
export class TurnWatch {
  /** Codex's ids of the turns that run, by thread. */
  readonly #running = new Map<string, string>();
  #isBusy = false;
  #isStopped = false;
  #hasAny: boolean;
  #waiting: (() => void)[] = [];

  constructor(hasAny: boolean) {
    this.#hasAny = hasAny;
  }

  /** Whether there was ever a turn: before its first, Codex keeps nothing of a thread. */
  get hasAny(): boolean {
    return this.#hasAny;
  }

  /** The thread is a new one. */
  startOver(): void {
    this.#hasAny = false;
  }

  /** From before the thread's own turn is handed over until its end. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Whether a person has stopped the turn that runs. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The turns that run, each with its thread before it. */
  get running(): [threadId: string, turnId: string][] {
    return [...this.#running];
  }

  /** Codex's id of the turn that the thread is at. */
  turnOf(threadId: string): string | undefined {
    return this.#running.get(threadId);
  }

  /** The thread's own turn is about to be handed over, or has begun by itself. */
  begin(): void {
    this.#isBusy = true;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The thread's own turn is over. */
  rest(): void {
    this.#isBusy = false;
    this.#isStopped = false;
    this.#wake();
  }

  started(threadId: string, turnId: string): void {
    this.#hasAny = true;
    this.#running.set(threadId, turnId);
    this.#wake();
  }

  ended(threadId: string): void {
    this.#running.delete(threadId);
  }

  /** The process is gone, and every turn with it. */
  forgetAll(): void {
    this.#running.clear();
  }

  untilIdle(): Promise<void> {
    return this.#until(() => !this.#isBusy);
  }

  /** A turn that was handed over can be named only once it has begun, if it ever does. */
  untilNamed(threadId: string): Promise<void> {
    return this.#until(() => !this.#isBusy || this.#running.has(threadId));
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

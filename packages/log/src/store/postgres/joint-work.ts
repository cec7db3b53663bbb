export interface JointWorkOptions<Item, Result> {
  /** How many statements run at the same time. */
  readonly lanes: number;
  /** What one statement takes at most, in the sizes of its items; one item is always taken. */
  readonly maxSize: number;
  readonly sizeOf: (item: Item) => number;
  /** Does all of it in one statement, each item with an outcome of its own. */
  readonly work: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
  /** Whether nothing was done because of one of several items. */
  readonly isRefused: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does things of many sessions in few statements: what comes in one turn of the event loop, or waits for
 * a lane, goes together. Nothing waits while a lane is free, so the busier the database, the more each
 * statement does.
 */
export class JointWork<Item, Result> {
  readonly #options: JointWorkOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #isPlanned = false;

  constructor(options: JointWorkOptions<Item, Result>) {
    this.#options = options;
  }

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned || this.#running >= this.#options.lanes || this.#waiting.length === 0)
      return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#start();
    });
  }

  #start(): void {
    const group = this.#next();
    if (group.length === 0) return;
    this.#running += 1;
    void this.#run(group).finally(() => {
      this.#running -= 1;
      this.#plan();
    });
    this.#plan();
  }

  #next(): Waiting<Item, Result>[] {
    const { sizeOf, maxSize } = this.#options;
    let size = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      size += sizeOf(item);
      if (count > 0 && size > maxSize) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Never rejects. */
  async #run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const { work, isRefused } = this.#options;
    try {
      const outcomes = await work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === "fulfilled") resolve(outcome.value);
        else reject(outcome?.reason);
      }
    } catch (error) {
      if (group.length === 1 || !isRefused(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
      // The others must not suffer for the one that was refused.
      for (const alone of group) await this.#run([alone]);
    }
  }
}

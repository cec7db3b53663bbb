type Arrival<Item> =
  | { readonly type: "item"; readonly item: Item }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly error: unknown };

/** Passes messages from whoever pushes to one reader. What was pushed before the end is still read. */
export class MessageQueue<Item> implements AsyncIterable<Item> {
  readonly #arrivals: Arrival<Item>[] = [];
  #wake: () => void = () => undefined;
  #isEnded = false;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  push(item: Item): void {
    this.#arrive({ type: "item", item });
  }

  end(): void {
    this.#finish({ type: "end" });
  }

  /** The reader gets the error after everything else. */
  fail(error: unknown): void {
    this.#finish({ type: "failed", error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const arrival = this.#arrivals.shift();
      if (!arrival) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if (arrival.type === "item") yield arrival.item;
      else if (arrival.type === "failed") throw arrival.error;
      else return;
    }
  }

  #finish(arrival: Arrival<Item>): void {
    this.#arrive(arrival);
    this.#isEnded = true;
  }

  #arrive(arrival: Arrival<Item>): void {
    if (this.#isEnded) return;
    this.#arrivals.push(arrival);
    this.#wake();
  }
}

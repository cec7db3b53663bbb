import { jsonSize } from "@turnwire/protocol";

type Arrival<Item> =
  | { readonly type: "item"; readonly item: Item; readonly size: number }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly error: unknown };

/** What may wait before whoever pushes should hold back, in messages and in characters of JSON. */
const MAX_WAITING = 1024;
const MAX_WAITING_TEXT = 4 * 1024 * 1024;

/**
 * Passes messages from whoever pushes to one reader. What was pushed before the end is still read.
 * A push is never refused: whoever reads them from a pipe looks at `isFull` and waits for `room`.
 */
export class MessageQueue<Item> implements AsyncIterable<Item> {
  readonly #arrivals: Arrival<Item>[] = [];
  #wake: () => void = () => undefined;
  #onRoom: (() => void)[] = [];
  #onTaken: { readonly count: number; readonly resolve: () => void }[] = [];
  #pushed = 0;
  #taken = 0;
  #waitingText = 0;
  #isEnded = false;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether more waits than should; never after the end, when nothing is added any more. */
  get isFull(): boolean {
    const isMuch = this.#arrivals.length > MAX_WAITING || this.#waitingText > MAX_WAITING_TEXT;
    return isMuch && !this.#isEnded;
  }

  /** Resolves when there is room again, or when the queue has ended. */
  async room(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => this.#onRoom.push(resolve));
  }

  /** Resolves when the reader is done with all that was pushed until now, or when nothing is read any more. */
  async taken(): Promise<void> {
    const count = this.#pushed;
    if (this.#taken >= count || this.#isEnded) return;
    await new Promise<void>((resolve) => this.#onTaken.push({ count, resolve }));
  }

  push(item: Item): void {
    this.#arrive({ type: "item", item, size: jsonSize(item).text });
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
      else if (arrival.type === "item") {
        this.#waitingText -= arrival.size;
        if (!this.isFull) this.#tellRoom();
        yield arrival.item;
        this.#taken += 1;
        this.#tellTaken();
      } else if (arrival.type === "failed") throw arrival.error;
      else return;
    }
  }

  #finish(arrival: Arrival<Item>): void {
    this.#arrive(arrival);
    this.#isEnded = true;
    this.#tellRoom();
    this.#tellTaken();
  }

  #tellTaken(): void {
    if (this.#onTaken.length === 0) return;
    const waiting = this.#onTaken;
    this.#onTaken = [];
    for (const waiter of waiting) {
      if (this.#isEnded || waiter.count <= this.#taken) waiter.resolve();
      else this.#onTaken.push(waiter);
    }
  }

  #tellRoom(): void {
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  #arrive(arrival: Arrival<Item>): void {
    if (this.#isEnded) return;
    this.#arrivals.push(arrival);
    if (arrival.type === "item") {
      this.#waitingText += arrival.size;
      this.#pushed += 1;
    }
    this.#wake();
  }
}

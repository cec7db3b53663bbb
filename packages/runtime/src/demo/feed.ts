import { detach } from "@turnwire/base";

type Arrival<Item> =
  | { readonly type: "item"; readonly item: Item; readonly source?: AsyncGenerator<Item> }
  | { readonly type: "failed"; readonly error: unknown };

/**
 * Joins several sources into one stream that is pulled: a source is asked for its next item
 * only after the reader came back for more, so at most one item per source waits here.
 */
export class DemoFeed<Item> implements AsyncIterable<Item> {
  readonly #sources = new Set<AsyncGenerator<Item>>();
  readonly #arrivals: Arrival<Item>[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds one item by itself, beside all sources. */
  push(item: Item): void {
    this.#arrive({ type: "item", item });
  }

  add(source: AsyncGenerator<Item>): void {
    this.#sources.add(source);
    this.#pull(source);
  }

  /** Ends the stream at once; what has not been read is dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#arrivals.length = 0;
    for (const source of this.#sources) detach(source.return(undefined), nobodyLeftToTell);
    this.#sources.clear();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    try {
      while (!this.#isClosed) {
        const arrival = this.#arrivals.shift();
        if (!arrival) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
        } else if (arrival.type === "failed") {
          throw arrival.error;
        } else {
          yield arrival.item;
          if (arrival.source) this.#pull(arrival.source);
        }
      }
    } finally {
      this.close();
    }
  }

  #pull(source: AsyncGenerator<Item>): void {
    const taken = source.next().then((next) => {
      if (next.done) this.#sources.delete(source);
      else this.#arrive({ type: "item", item: next.value, source });
    });
    detach(taken, (error) => this.#arrive({ type: "failed", error }));
  }

  #arrive(arrival: Arrival<Item>): void {
    if (this.#isClosed) return;
    this.#arrivals.push(arrival);
    this.#wake?.();
  }
}

/** A source that fails while it is being closed has no reader any more. */
function nobodyLeftToTell(): void {}

import { eventsWithin, type PageLimits } from "./event-page.ts";
import type { StoredEvent } from "./store.ts";

/** The newest events stay in memory up to this size, however many they are. */
const maxRingBytes = 8 * 1024 * 1024;

/** The newest events of a log in memory, without a gap. */
export class EventRing {
  readonly #size: number;
  #events: StoredEvent[] = [];
  #length = 0;

  /** `size` is how many events it holds at least, where they are not too large. */
  constructor(size: number) {
    this.#size = size;
  }

  /** The oldest seq that it has; undefined when it is empty. */
  get first(): number | undefined {
    return this.#events[0]?.seq;
  }

  /** Events from a seq on that it has. */
  from(seq: number, limits: Omit<PageLimits, "from">): StoredEvent[] {
    return eventsWithin(this.#events, { from: seq - (this.first ?? seq), ...limits });
  }

  push(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#length += event.json.length;
    }
    // Cut in steps, so that a full ring does not shift on every event.
    const slack = Math.max(16, this.#size >> 2);
    if (this.#events.length <= this.#size + slack && this.#length <= maxRingBytes) return;
    let dropped = Math.max(0, this.#events.length - this.#size);
    let length = this.#length;
    for (
      let index = 0;
      index < this.#events.length && (index < dropped || length > maxRingBytes);
      index++
    ) {
      length -= this.#events[index]?.json.length ?? 0;
      dropped = Math.max(dropped, index + 1);
    }
    this.#events = this.#events.slice(dropped);
    this.#length = length;
  }

  /** Drops events up to and with a seq. */
  dropUpTo(seq: number): void {
    this.#events = this.#events.filter((event) => event.seq > seq);
    this.#length = this.#events.reduce((sum, event) => sum + event.json.length, 0);
  }
}

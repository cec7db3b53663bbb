import type { LogListener, OwnedLog, StoredEvent } from "@turnwire/log";
import { bytesOf, eventsWithin } from "../../../../../../log/src/event-page.ts";

type Log = Pick<OwnedLog, "sessionId" | "head" | "recent" | "read" | "subscribe" | "end">;

/** A log of plain values: memory reaches back `ring` events, the store to all that are not trimmed. */
export class PlainLog implements Log {
  readonly sessionId = "plain";
  readonly events: StoredEvent[] = [];
  readonly reads: number[] = [];
  readonly #ring: number;
  readonly #listeners = new Set<LogListener>();
  bytesRead = 0;
  trimmed = 0;
  isBroken = false;

  constructor(ring = Infinity) {
    this.#ring = ring;
  }

  get head(): number {
    return this.events.length;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  append(...texts: readonly string[]): void {
    const added = texts.map((text, index) => {
      const seq = this.head + index + 1;
      return { seq, type: "notice", json: JSON.stringify({ seq, text }) };
    });
    this.appendStored(added);
  }

  appendStored(added: readonly StoredEvent[]): void {
    this.events.push(...added);
    for (const listener of this.#listeners) listener.onEvents(added);
  }

  recent(after: number, limit: number, maxBytes = Infinity): readonly StoredEvent[] | undefined {
    if (after < this.head - this.#ring) return undefined;
    return eventsWithin(this.events, { from: after, limit, maxBytes });
  }

  async read(after: number, limit: number, maxBytes = Infinity): Promise<readonly StoredEvent[]> {
    this.reads.push(after);
    if (this.isBroken) throw new Error("no disk");
    const from = Math.max(after, this.trimmed);
    const events = eventsWithin(this.events, { from, limit, maxBytes });
    this.bytesRead += bytesOf(events);
    return events;
  }

  subscribe(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(reason: "closed" | "released"): void {
    for (const listener of this.#listeners) listener.onEnd(reason);
  }
}

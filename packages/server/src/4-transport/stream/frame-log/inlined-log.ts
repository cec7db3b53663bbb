import type { SessionEvent } from "@turnwire/protocol";
import { detach } from "@turnwire/base";
import { type ReadableLog, restoreEvent, type StoredEvent } from "@turnwire/log";
import type { FrameLogListener } from "./frame-log.ts";

export type InlinedSource = Pick<
  ReadableLog,
  "sessionId" | "head" | "recent" | "read" | "subscribe" | "readAttachment"
>;

/** An event with its attachments in place, and as the log has it. */
export interface InlinedEvent extends StoredEvent {
  /** Only where it differs. */
  readonly plain?: StoredEvent;
}

/**
 * A log for dialects whose clients know no attachments: events have them in the places of their
 * previews, as long as the whole is not larger than `maxBytes`. Live and replayed events are the
 * same, in order, and events without attachments pass as they are, in the same tick.
 */
export class InlinedLog {
  readonly #log: InlinedSource;
  readonly #maxBytes: number;
  /** The newest event that was handed to the listener: loading may hold some back. */
  #head: number;
  #waiting = 0;
  #delivered: Promise<void> = Promise.resolve();

  constructor(log: InlinedSource, maxBytes: number) {
    this.#log = log;
    this.#maxBytes = maxBytes;
    this.#head = log.head;
  }

  get sessionId(): string {
    return this.#log.sessionId;
  }

  get head(): number {
    return this.#head;
  }

  recent(after: number, limit: number, maxBytes?: number): readonly StoredEvent[] | undefined {
    const events = this.#log
      .recent(after, limit, maxBytes)
      ?.filter((event) => event.seq <= this.#head);
    return events?.some(hasAttachments) ? undefined : events;
  }

  async read(after: number, limit: number, maxBytes?: number): Promise<readonly InlinedEvent[]> {
    const events = await this.#log.read(after, limit, maxBytes);
    const inlined: InlinedEvent[] = [];
    let bytes = 0;
    for (const event of events) {
      // A shorter page is not an end: the rest comes with the next one.
      if (event.seq > this.#head || bytes > this.#maxBytes) break;
      const whole = hasAttachments(event) ? await this.#inlined(event) : event;
      bytes += whole.json.length;
      inlined.push(whole);
    }
    return inlined;
  }

  subscribe(listener: FrameLogListener<InlinedEvent>): () => void {
    let isLeft = false;
    const leave = this.#log.subscribe({
      onEvents: (events) => {
        if (this.#waiting === 0 && !events.some(hasAttachments)) this.#hand(listener, events);
        else {
          this.#later(async () => {
            const whole: InlinedEvent[] = [];
            for (const event of events) {
              whole.push(hasAttachments(event) ? await this.#inlined(event) : event);
            }
            if (!isLeft) this.#hand(listener, whole);
          });
        }
      },
      onEnd: (reason) => {
        if (this.#waiting === 0) listener.onEnd(reason);
        else this.#later(async () => listener.onEnd(reason));
      },
    });
    return () => {
      isLeft = true;
      leave();
    };
  }

  #hand(listener: FrameLogListener<InlinedEvent>, events: readonly InlinedEvent[]): void {
    this.#head = events.at(-1)?.seq ?? this.#head;
    listener.onEvents(events);
  }

  #later(work: () => Promise<void>): void {
    this.#waiting += 1;
    this.#delivered = this.#delivered.then(work).finally(() => {
      this.#waiting -= 1;
    });
    detach(this.#delivered, () => undefined);
  }

  async #inlined(stored: StoredEvent): Promise<InlinedEvent> {
    const event: SessionEvent = JSON.parse(stored.json);
    const { attachments = [] } = event;
    // Base64 and escapes make text longer than its bytes: a third is the usual.
    const added = attachments.reduce((sum, { size }) => sum + size * (4 / 3), 0);
    if (stored.json.length + added > this.#maxBytes) return stored;
    try {
      const whole = await restoreEvent(event, this.#log);
      return { ...stored, json: JSON.stringify(whole), plain: stored };
    } catch {
      // What cannot be read any more is shown as far as it is in the log.
      return stored;
    }
  }
}

const WITH_ATTACHMENTS = /^\{"seq":\d+,"ts":"[^"]{0,40}","attachments":\[/;

/** As the log writes them: nothing is parsed for the many events that have none. */
function hasAttachments({ json }: StoredEvent): boolean {
  return WITH_ATTACHMENTS.test(json);
}

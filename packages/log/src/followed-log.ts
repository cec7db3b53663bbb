import { bytesOf } from "./event-page.ts";
import { PublishedLog, type PublishedLogOptions, READ_BYTES } from "./published-log.ts";
import { readPace } from "./read-pace.ts";
import type { StoredEvent } from "./store.ts";
import { StoreError } from "./store-error.ts";

const READ_EVENTS = 1000;

export type FollowedLogOptions = Pick<PublishedLogOptions, "store" | "record" | "ringSize">;

/**
 * A session's log that another host appends to, read from the store. It begins where retention has left
 * off and continues as `advance` is called. Promises: after `session_closed` it has ended as `closed`, and
 * where an event was removed or damaged before it could be read, as `released`. So it has where the session
 * was deleted and recreated under its id: nothing of the new one is read.
 */
export class FollowedLog extends PublishedLog {
  readonly #store: FollowedLogOptions["store"];
  /** The newest seq that the store is known to have. */
  #known: number;
  /** The newest event that was read: what comes next must follow it in the store too. */
  #last: StoredEvent | undefined;
  #advancing: Promise<void> | undefined;

  constructor(options: FollowedLogOptions) {
    super({ ...options, head: options.record.trimmed });
    this.#store = options.store;
    this.#known = options.record.trimmed;
  }

  get settled(): Promise<void> {
    return this.#advancing?.catch(() => undefined) ?? Promise.resolve();
  }

  /** The store has events up to `head`: reads them. Rejects where the store cannot be read; call it again then. */
  advance(head: number): Promise<void> {
    this.#known = Math.max(this.#known, head);
    if (this.#isUpToDate) return this.#advancing ?? Promise.resolve();
    this.#advancing ??= this.#readOn();
    return this.#advancing;
  }

  get #isUpToDate(): boolean {
    return this.head >= this.#known || this.endReason !== undefined;
  }

  async #readOn(): Promise<void> {
    try {
      while (!this.#isUpToDate) await this.#readPage();
    } finally {
      // In the same step as the last look at what is known: what becomes known later starts another.
      this.#advancing = undefined;
    }
  }

  async #readPage(): Promise<void> {
    const after = this.head;
    const page = await readPace.read(READ_BYTES, () => this.#readNext(after), bytesOf);
    if (this.endReason) return;
    // The session was removed meanwhile, or nothing came after all.
    if (page.length === 0) this.#known = this.head;
    else if (page[0]?.seq === after + 1) this.#publishPage(page);
    // Retention was faster: whoever comes back is answered with the gap.
    else this.end("released");
  }

  /** Events that follow the newest one which was read; none where the store has another in its place. */
  async #readNext(after: number): Promise<readonly StoredEvent[]> {
    const last = this.#last;
    if (!last) return this.#read(after, READ_EVENTS, READ_BYTES);
    let [known, ...next] = await this.#read(
      after - 1,
      READ_EVENTS + 1,
      READ_BYTES + bytesOf([last]),
    );
    if (known && next.length === 0) {
      // Too large to come with it, or damaged, which only a page that begins there reports.
      next = [...(await this.#read(after, READ_EVENTS, READ_BYTES))];
      [known] = await this.#read(after - 1, 1);
    }
    if (known?.seq === after && known.json === last.json) return next;
    this.end("released");
    return [];
  }

  async #read(after: number, limit: number, maxBytes?: number): Promise<readonly StoredEvent[]> {
    try {
      return await this.#store.read(this.sessionId, after, limit, maxBytes);
    } catch (error) {
      if (isLost(error)) this.end("released");
      throw error;
    }
  }

  #publishPage(page: readonly StoredEvent[]): void {
    this.#last = page.at(-1);
    try {
      this.publish(page);
    } catch (error) {
      // Some have not heard of the page: they come back for it.
      this.end("released");
      throw error;
    }
    if (page.at(-1)?.type === "session_closed") this.end("closed");
  }
}

/** Whether nothing more can be read from here on, however often it is tried. */
function isLost(error: unknown): boolean {
  return (
    error instanceof StoreError && (error.code === "damaged" || error.code === "session_unknown")
  );
}

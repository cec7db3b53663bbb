import { setImmediate } from "node:timers/promises";
import { bytesOf } from "../../event-page.ts";
import type { SearchPage, SearchQuery } from "../../search/search.ts";
import { type DamagedRange, StoreError } from "../../store-error.ts";
import type { ByteRange, StoredEvent } from "../../store.ts";
import { attachmentDamaged, attachmentUnknown, logDamaged, storeClosed } from "../refusal.ts";
import { CHUNK_BYTES } from "./attachment-table.ts";
import { storeErrorFrom } from "./failure.ts";
import type { Reader, ReadLimits, ReadPage } from "./reader.ts";

/** What is read in one go, a millisecond or so; then the event loop has its turn. */
const READ_EVENTS = 256;
const READ_BYTES = 256 * 1024;

/** Reads what is long step by step, so that the event loop has its turn in between. Rejects with a StoreError. */
export class SteppedReader {
  readonly #reader: Reader;
  readonly #path: string;
  #isClosed = false;

  constructor(reader: Reader, path: string) {
    this.#reader = reader;
    this.#path = path;
  }

  /** What takes one step. */
  query<Result>(query: (reader: Reader) => Result): Result {
    if (this.#isClosed) throw storeClosed();
    try {
      return query(this.#reader);
    } catch (error) {
      throw storeErrorFrom(error, this.#path);
    }
  }

  async readEvents(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Infinity,
  ): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let left = maxBytes;
    let last = after;
    let head = Infinity;
    while (events.length < limit && (left > 0 || events.length === 0) && last < head) {
      const isFirst = events.length === 0;
      if (!isFirst) await setImmediate();
      const count = Math.min(READ_EVENTS, limit - events.length);
      const limits = { events: count, bytes: left, atLeastOne: isFirst };
      const page = isFirst
        ? this.#readStep(sessionId, last, limits)
        : attempt(() => this.#readStep(sessionId, last, limits));
      // What cannot be read is reported to whoever reads on from here.
      if (!page) break;
      const [first] = page.events;
      // Retention may run between two pages: what it took must show as the start of the next read.
      if (!first || (!isFirst && first.seq !== last + 1)) break;
      events.push(...page.events);
      left -= bytesOf(page.events);
      last = page.events.at(-1)?.seq ?? last;
      head = page.head;
    }
    return events;
  }

  async readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    const found = this.query((reader) => reader.findAttachment(sessionId, digest));
    if (!found) throw attachmentUnknown(sessionId, digest);
    const { start, end } = range ?? { start: 0, end: found.size };
    const bytes = new Uint8Array(Math.max(0, Math.min(end, found.size) - start));
    for (let filled = 0; filled < bytes.byteLength;) {
      if (filled > 0) await setImmediate();
      const offset = start + filled;
      const position = Math.floor(offset / CHUNK_BYTES);
      const chunk = this.query((reader) => reader.readChunk(found.blobKey, position));
      const rest = chunk?.subarray(offset % CHUNK_BYTES).subarray(0, bytes.byteLength - filled);
      if (!rest || rest.byteLength === 0) throw attachmentDamaged(sessionId, digest);
      bytes.set(rest, filled);
      filled += rest.byteLength;
    }
    return bytes;
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    const search = this.query((reader) => reader.search.find(query));
    for (;;) {
      const step = this.query(() => search.next());
      if (step.done) {
        return { hits: step.value, isComplete: this.query((reader) => reader.search.isComplete) };
      }
      await setImmediate();
    }
  }

  /** Looks for events that are missing before others. */
  async findHole(sessionId: string): Promise<DamagedRange | undefined> {
    const search = this.query((reader) => reader.findHole(sessionId));
    for (;;) {
      const step = this.query(() => search.next());
      if (step.done) return step.value;
      await setImmediate();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#reader.close();
  }

  /** Where SQLite finds a page of the file damaged, it does not say which row that is. */
  #readStep(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    try {
      return this.#readPage(sessionId, after, limits);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "corrupt") throw error;
      if (limits.events > 1) return this.#readStep(sessionId, after, { ...limits, events: 1 });
      const head = this.query((reader) => reader.getSession(sessionId))?.head ?? 0;
      throw logDamaged(sessionId, { first: after + 1, last: Math.max(after + 1, head) }, error);
    }
  }

  /** What can be read in one go; an event that alone is more than that goes alone, if it fits. */
  #readPage(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    const bytes = Math.min(READ_BYTES, limits.bytes);
    const page = this.query((reader) => reader.readEvents(sessionId, after, { ...limits, bytes }));
    if (page.events.length > 0 || bytes === limits.bytes) return page;
    return this.query((reader) => reader.readEvents(sessionId, after, { ...limits, events: 1 }));
  }
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

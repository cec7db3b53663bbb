import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "@turnwire/base";
import {
  type AppendBatch,
  type BaseState,
  type ByteRange,
  type DamagedRange,
  type Lease,
  type LeaseRequest,
  type SessionFilter,
  type SessionRecord,
  type Store,
  type StoredAttachment,
  type StoredEvent,
  type StoredInput,
  StoreError,
  type StoreHealth,
} from "../../store.ts";
import { bytesOf } from "../../event-page.ts";
import type { SearchPage, SearchQuery } from "../../search/search.ts";
import { attachmentDamaged, attachmentUnknown, logDamaged, storeClosed } from "../refusal.ts";
import { CHUNK_BYTES } from "./attachment-table.ts";
import { loadDriver } from "./driver.ts";
import { rowsFromEvents } from "./event-row.ts";
import { storeErrorFrom } from "./failure.ts";
import { type ProcessLock, takeProcessLock } from "./process-lock.ts";
import { Reader, type ReadLimits, type ReadPage } from "./reader.ts";
import { prepareStoreFile } from "./store-file.ts";
import type { WriteAnswers, WriteOf, WriterOptions, WriteType } from "./write.ts";
import { WriteHealth } from "./write-health.ts";
import { WriterSupervisor } from "./writer-supervisor.ts";
import { WriterThread } from "./writer-thread.ts";

/** Where a store is and how much it survives. */
export interface SqliteStoreOptions {
  readonly path: string;
  /** `durable` (the default) survives loss of power, `fast` only the death of the process. */
  readonly durability?: "durable" | "fast";
  /** Called once when the store can never write again until it is opened anew; reads still work. */
  readonly onFailed?: (error: StoreError) => void;
  readonly clock?: Clock;
}

export type StartWriterThread = (options: WriterOptions) => Promise<WriterThread>;

/** What is read in one go, a millisecond or so; then the event loop has its turn. */
const READ_EVENTS = 256;
const READ_BYTES = 256 * 1024;

/** Opens or creates the store in one SQLite file; rejects with a StoreError. */
export function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openWithThread(options, (thread) => WriterThread.start(thread));
}

/** For tests that end the thread. */
export async function openWithThread(
  options: SqliteStoreOptions,
  startThread: StartWriterThread,
): Promise<Store> {
  const path = resolve(options.path);
  const { durability = "durable", clock = systemClock } = options;
  try {
    const openDatabase = await loadDriver();
    const { lockPath, hasWal } = await prepareStoreFile(path);
    const lock = takeProcessLock(openDatabase, lockPath);
    let writer: WriterSupervisor | undefined;
    try {
      writer = await WriterSupervisor.start({
        startThread: async (isRestart) => {
          const isWalThere = isRestart ? await exists(`${path}-wal`) : hasWal;
          return startThread({ path, durability, hasWal: isWalThere, isRestart });
        },
        clock,
        onFailed: (error) => options.onFailed?.(error),
      });
      const reader = new Reader(openDatabase(path));
      return new SqliteStore({ path, lock, writer, reader, clock });
    } catch (error) {
      await writer?.close();
      lock.release();
      throw error;
    }
  } catch (error) {
    throw storeErrorFrom(error, path);
  }
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

interface SqliteStoreParts {
  readonly path: string;
  readonly lock: ProcessLock;
  readonly writer: WriterSupervisor;
  readonly reader: Reader;
  readonly clock: Clock;
}

class SqliteStore implements Store {
  readonly name = "sqlite";
  readonly #path: string;
  readonly #lock: ProcessLock;
  readonly #writer: WriterSupervisor;
  readonly #reader: Reader;
  readonly #health: WriteHealth;
  /** Sessions whose logs were looked through for holes since the store was opened. */
  readonly #whole = new Set<string>();
  #closed: Promise<void> | undefined;

  constructor({ path, lock, writer, reader, clock }: SqliteStoreParts) {
    this.#path = path;
    this.#lock = lock;
    this.#writer = writer;
    this.#reader = reader;
    this.#health = new WriteHealth({ probe: () => writer.write({ type: "probe" }), clock });
  }

  async createSession(record: SessionRecord): Promise<Lease> {
    const lease = await this.#write({ type: "create", record });
    this.#whole.add(record.sessionId);
    return lease;
  }

  async acquireLease({ sessionId }: LeaseRequest): Promise<Lease | undefined> {
    const hole = this.#whole.has(sessionId) ? undefined : await this.#findHole(sessionId);
    if (hole) throw logDamaged(sessionId, hole);
    const lease = await this.#write({ type: "acquire", sessionId });
    if (lease) this.#whole.add(sessionId);
    return lease;
  }

  renewLease(sessionId: string, generation: number): Promise<boolean> {
    return this.#writer.write({ type: "renew", sessionId, generation });
  }

  releaseLease(sessionId: string, generation: number): Promise<void> {
    return this.#writer.write({ type: "release", sessionId, generation });
  }

  append(batch: AppendBatch): Promise<void> {
    const events = rowsFromEvents(batch.events);
    return this.#write({ type: "append", batch: { ...batch, events } });
  }

  async read(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Infinity,
  ): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let left = maxBytes;
    let last = after;
    let head = Infinity;
    while (events.length < limit && left > 0 && last < head) {
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

  async findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined> {
    const found = this.#read((reader) => reader.findAttachment(sessionId, digest));
    return found && { digest, size: found.size, mediaType: found.mediaType };
  }

  async readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    const found = this.#read((reader) => reader.findAttachment(sessionId, digest));
    if (!found) throw attachmentUnknown(sessionId, digest);
    const { start, end } = range ?? { start: 0, end: found.size };
    const bytes = new Uint8Array(Math.max(0, Math.min(end, found.size) - start));
    for (let filled = 0; filled < bytes.byteLength;) {
      if (filled > 0) await setImmediate();
      const offset = start + filled;
      const position = Math.floor(offset / CHUNK_BYTES);
      const chunk = this.#read((reader) => reader.readChunk(found.blobKey, position));
      const rest = chunk?.subarray(offset % CHUNK_BYTES).subarray(0, bytes.byteLength - filled);
      if (!rest || rest.byteLength === 0) throw attachmentDamaged(sessionId, digest);
      bytes.set(rest, filled);
      filled += rest.byteLength;
    }
    return bytes;
  }

  async findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined> {
    return this.#read((reader) => reader.findInput(sessionId, clientMessageId));
  }

  async getSession(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#read((reader) => reader.getSession(sessionId));
  }

  async listSessions(filter: SessionFilter): Promise<SessionRecord[]> {
    return this.#read((reader) => reader.listSessions(filter));
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.#write({ type: "remove", sessionId });
    this.#whole.delete(sessionId);
  }

  async deleteSession(sessionId: string, generation: number): Promise<void> {
    await this.#write({ type: "delete", sessionId, generation });
    this.#whole.delete(sessionId);
  }

  trim(sessionId: string, generation: number, base: BaseState): Promise<void> {
    const state = JSON.stringify(base.state);
    return this.#write({ type: "trim", sessionId, generation, seq: base.seq, state });
  }

  async readBase(sessionId: string): Promise<BaseState | undefined> {
    return this.#read((reader) => reader.readBase(sessionId));
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    const search = this.#read((reader) => reader.search.find(query));
    for (;;) {
      const step = this.#read(() => search.next());
      if (step.done) {
        return { hits: step.value, isComplete: this.#read((reader) => reader.search.isComplete) };
      }
      await setImmediate();
    }
  }

  async health(): Promise<StoreHealth> {
    const { failedWrites } = this.#health;
    const { restarts } = this.#writer;
    const problem = this.#closed
      ? storeClosed()
      : (this.#writer.problem ?? (await this.#health.check()));
    if (!problem) return { isWritable: true, failedWrites, restarts };
    const reason = problem.message.replaceAll(this.#path, "the store");
    return { isWritable: false, reason, failedWrites, restarts };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // The reader first: the last connection to close checkpoints, and that must be the writer.
    this.#reader.close();
    await this.#writer.close();
    this.#lock.release();
  }

  /** Where SQLite finds a page of the file damaged, it does not say which row that is. */
  #readStep(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    try {
      return this.#readPage(sessionId, after, limits);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "corrupt") throw error;
      if (limits.events > 1) return this.#readStep(sessionId, after, { ...limits, events: 1 });
      const head = this.#read((reader) => reader.getSession(sessionId))?.head ?? 0;
      throw logDamaged(sessionId, { first: after + 1, last: Math.max(after + 1, head) }, error);
    }
  }

  /** What can be read in one go; an event that alone is more than that goes alone, if it fits. */
  #readPage(sessionId: string, after: number, limits: ReadLimits): ReadPage {
    const bytes = Math.min(READ_BYTES, limits.bytes);
    const page = this.#read((reader) => reader.readEvents(sessionId, after, { ...limits, bytes }));
    if (page.events.length > 0 || bytes === limits.bytes) return page;
    return this.#read((reader) => reader.readEvents(sessionId, after, { ...limits, events: 1 }));
  }

  /** For what has to reach the disk: renewing and releasing a lease do not. */
  async #write<Type extends WriteType>(write: WriteOf<Type>): Promise<WriteAnswers[Type]> {
    try {
      const answer = await this.#writer.write(write);
      this.#health.succeeded();
      return answer;
    } catch (error) {
      this.#health.failed(error);
      throw error;
    }
  }

  async #findHole(sessionId: string): Promise<DamagedRange | undefined> {
    const search = this.#read((reader) => reader.findHole(sessionId));
    for (;;) {
      const step = this.#read(() => search.next());
      if (step.done) return step.value;
      await setImmediate();
    }
  }

  #read<Result>(query: (reader: Reader) => Result): Result {
    if (this.#closed) throw storeClosed();
    try {
      return query(this.#reader);
    } catch (error) {
      throw storeErrorFrom(error, this.#path);
    }
  }
}

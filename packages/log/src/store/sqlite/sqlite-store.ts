import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { type Clock, systemClock } from "@turnwire/base";
import type { HostDescription, HostRecord, OrphanQuery } from "../../host-registry.ts";
import type { InboxAnswer, InboxEntry } from "../../inbox.ts";
import type { StoreHint } from "../../store-hint.ts";
import type { SessionFilter, SessionRecord } from "../../session-record.ts";
import type {
  AppendBatch,
  BaseState,
  ByteRange,
  Lease,
  LeaseRequest,
  Store,
  StoredAttachment,
  StoredEvent,
  StoredInput,
  StoreHealth,
} from "../../store.ts";
import type { StoreError } from "../../store-error.ts";
import type { SearchPage, SearchQuery } from "../../search/search.ts";
import { hintsOf, HintSource } from "../hint-source.ts";
import { MemoryValues } from "../memory-values.ts";
import { logDamaged, storeClosed } from "../refusal.ts";
import { loadDriver } from "./driver.ts";
import { rowsFromEvents } from "./event-row.ts";
import { storeErrorFrom } from "./failure.ts";
import { type ProcessLock, takeProcessLock } from "./process-lock.ts";
import { Reader } from "./reader.ts";
import { SteppedReader } from "./stepped-reader.ts";
import { prepareStoreFile } from "./store-file.ts";
import { TranscriptTable } from "./transcript-table.ts";
import type { WriteAnswers, WriteOf, WriterOptions, WriteType } from "./write.ts";
import { WriteHealth } from "../write-health.ts";
import { WriterSupervisor } from "./writer-supervisor.ts";
import { WriterThread } from "./writer-thread.ts";

/** Where a store is and how much it survives. */
export interface SqliteStoreOptions {
  readonly path: string;
  /** `durable` (the default) survives loss of power, `fast` only the death of the process. */
  readonly durability?: "durable" | "fast";
  /** Called once when the store can never write again until it is opened again; reads still work. */
  readonly onFailed?: (error: StoreError) => void;
  readonly clock?: Clock;
}

export type StartWriterThread = (options: WriterOptions) => Promise<WriterThread>;

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
      const reader = new SteppedReader(new Reader(openDatabase(path)), path);
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
  readonly reader: SteppedReader;
  readonly clock: Clock;
}

class SqliteStore implements Store {
  readonly name = "sqlite";
  readonly isShared = false;
  readonly values: MemoryValues;
  readonly transcripts: TranscriptTable;
  readonly #path: string;
  readonly #lock: ProcessLock;
  readonly #writer: WriterSupervisor;
  readonly #reader: SteppedReader;
  readonly #health: WriteHealth;
  readonly #hints = new HintSource();
  readonly #clock: Clock;
  /** Sessions whose logs were looked through for holes since the store was opened. */
  readonly #whole = new Set<string>();
  #closed: Promise<void> | undefined;

  constructor({ path, lock, writer, reader, clock }: SqliteStoreParts) {
    this.#path = path;
    this.#lock = lock;
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = clock;
    this.#health = new WriteHealth({ probe: () => writer.write({ type: "probe" }), clock });
    this.transcripts = new TranscriptTable(reader, (write) => this.#write(write));
    this.values = new MemoryValues({
      now: () => clock.now(),
      isAlive: async (holder) => {
        const living = await writer.write({ type: "find_living", holders: [holder] });
        return living.length > 0;
      },
      onChanged: (key) => this.#hints.emit({ type: "value", key }),
      checkOpen: () => this.#checkOpen(),
    });
  }

  async createSession(record: SessionRecord, holder: string, ttlMs: number): Promise<Lease> {
    const lease = await this.#write({ type: "create", record, holder, ttlMs });
    this.#whole.add(record.sessionId);
    this.#hints.emit({ type: "created", sessionId: record.sessionId });
    return lease;
  }

  async acquireLease(request: LeaseRequest): Promise<Lease | undefined> {
    const { sessionId } = request;
    const hole = this.#whole.has(sessionId) ? undefined : await this.#reader.findHole(sessionId);
    if (hole) throw logDamaged(sessionId, hole);
    const lease = await this.#write({ type: "acquire", ...request });
    if (lease) this.#whole.add(sessionId);
    return lease;
  }

  async releaseLease(sessionId: string, generation: number): Promise<void> {
    const isReleased = await this.#writer.write({ type: "release", sessionId, generation });
    if (isReleased) this.#hints.emit({ type: "released", sessionId });
  }

  renewHolder(holder: string, ttlMs: number, description?: HostDescription): Promise<boolean> {
    return this.#writer.write({ type: "renew", holder, ttlMs, description });
  }

  async removeHolder(holder: string): Promise<void> {
    for (const sessionId of await this.#writer.write({ type: "remove_holder", holder })) {
      this.#hints.emit({ type: "released", sessionId });
    }
  }

  listHosts(): Promise<HostRecord[]> {
    return this.#writer.write({ type: "list_hosts" });
  }

  listOrphans(query: OrphanQuery): Promise<string[]> {
    return this.#writer.write({ type: "list_orphans", ...query });
  }

  async append(batch: AppendBatch): Promise<void> {
    const events = rowsFromEvents(batch.events);
    await this.#write({ type: "append", batch: { ...batch, events } });
    this.#hints.emit(...hintsOf(batch));
  }

  read(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Infinity,
  ): Promise<StoredEvent[]> {
    return this.#reader.readEvents(sessionId, after, limit, maxBytes);
  }

  async findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined> {
    const found = this.#reader.query((reader) => reader.findAttachment(sessionId, digest));
    return found && { digest, size: found.size, mediaType: found.mediaType };
  }

  readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#reader.readAttachment(sessionId, digest, range);
  }

  async findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined> {
    return this.#reader.query((reader) => reader.findInput(sessionId, clientMessageId));
  }

  async getSession(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#reader.query((reader) => reader.getSession(sessionId));
  }

  async listSessions(filter: SessionFilter): Promise<SessionRecord[]> {
    return this.#reader.query((reader) => reader.listSessions(filter));
  }

  async removeSession(sessionId: string): Promise<void> {
    const { owner } = await this.#write({ type: "remove", sessionId });
    this.#whole.delete(sessionId);
    this.#hints.emit({ type: "removed", sessionId, owner });
  }

  async deleteSession(sessionId: string, generation: number): Promise<void> {
    const { owner } = await this.#write({ type: "delete", sessionId, generation });
    this.#whole.delete(sessionId);
    this.#hints.emit({ type: "removed", sessionId, owner });
  }

  purgeDeleted(olderThanMs: number): Promise<void> {
    return this.#write({ type: "purge_deleted", olderThanMs });
  }

  async putInboxEntry(sessionId: string, body: string): Promise<string> {
    const entryId = randomUUID();
    const at = new Date(this.#clock.now()).toISOString();
    await this.#write({ type: "put_entry", entryId, sessionId, body, at });
    this.#hints.emit({ type: "inbox", sessionId });
    return entryId;
  }

  async readInbox(sessionId: string, limit: number): Promise<InboxEntry[]> {
    return this.#reader.query((reader) => reader.inbox.read(sessionId, limit));
  }

  /** Of every holder: all are this process. */
  async listWaitingInboxes(): Promise<string[]> {
    return this.#reader.query((reader) => reader.inbox.waiting());
  }

  beginInboxEntry(sessionId: string, generation: number, entryId: string): Promise<void> {
    return this.#write({ type: "begin_entry", sessionId, generation, entryId });
  }

  async answerInboxEntry(
    sessionId: string,
    generation: number,
    answer: InboxAnswer,
  ): Promise<void> {
    await this.#write({ type: "answer_entry", sessionId, generation, answer });
    this.#hints.emit({ type: "answer", entryId: answer.entryId });
  }

  async findInboxAnswer(entryId: string): Promise<string | undefined> {
    return this.#reader.query((reader) => reader.inbox.findAnswer(entryId));
  }

  watch(onHint: (hint: StoreHint) => void): () => void {
    return this.#hints.watch(onHint);
  }

  async readHeads(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#reader.query((reader) => reader.readHeads(sessionIds));
  }

  trim(sessionId: string, generation: number, base: BaseState): Promise<void> {
    const state = JSON.stringify(base.state);
    return this.#write({ type: "trim", sessionId, generation, seq: base.seq, state });
  }

  async readBase(sessionId: string): Promise<BaseState | undefined> {
    return this.#reader.query((reader) => reader.readBase(sessionId));
  }

  search(query: SearchQuery): Promise<SearchPage> {
    return this.#reader.search(query);
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

  #checkOpen(): void {
    if (this.#closed) throw storeClosed();
  }
}

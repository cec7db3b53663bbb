import type { Clock } from "@turnwire/base";
import type { HostDescription, HostRecord, OrphanQuery } from "../../host-registry.ts";
import type { InboxAnswer, InboxEntry } from "../../inbox.ts";
import type { SearchPage, SearchQuery } from "../../search/search.ts";
import type { SessionFilter, SessionRecord } from "../../session-record.ts";
import type { StoreHint } from "../../store-hint.ts";
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
import type { Transcripts } from "../../transcripts.ts";
import { type HintSource, hintsOf } from "../hint-source.ts";
import { storeClosed } from "../refusal.ts";
import { WriteHealth } from "../write-health.ts";
import * as attachmentTable from "./attachment-table.ts";
import type { Database } from "./database.ts";
import { findWholePart, readEvents } from "./event-table.ts";
import { type JointStatements, jointStatements } from "./joint-statements.ts";
import type { HintChannel } from "./hint-channel.ts";
import * as holderTable from "./holder-table.ts";
import * as inboxTable from "./inbox-table.ts";
import * as retention from "./retention.ts";
import { searchSaid } from "./search-table.ts";
import * as sessionTable from "./session-table.ts";
import { TranscriptTable } from "./transcript-table.ts";
import { ValueTable } from "./value-table.ts";
import { WholeLogs } from "./whole-logs.ts";
import { WriteQueue } from "./write-queue.ts";

interface PostgresStoreParts {
  readonly database: Database;
  /** Connections for renewals alone: one that waited behind other work would cost a host its sessions. */
  readonly renewals: Database;
  readonly channel: HintChannel;
  readonly hints: HintSource;
  readonly clock: Clock;
  readonly onClosed: (() => Promise<void>) | undefined;
}

/** A host asks before its time is up: it had better know soon that the database is away. */
const RENEW_PATIENCE_MS = 500;

/** A write that changes nothing, and is refused where writes are. */
const probe = `
  WITH nothing AS (DELETE FROM turnwire.holders WHERE false) SELECT pg_current_xact_id()`;

/** The port on Postgres: what each file of this folder does, with the writes of a session in order. */
export class PostgresStore implements Store {
  readonly name = "postgres";
  readonly isShared = true;
  readonly values: ValueTable;
  readonly transcripts: Transcripts;
  readonly #database: Database;
  readonly #renewals: Database;
  readonly #channel: HintChannel;
  readonly #hints: HintSource;
  readonly #health: WriteHealth;
  readonly #joint: JointStatements;
  readonly #writes: WriteQueue;
  readonly #onClosed: (() => Promise<void>) | undefined;
  readonly #whole = new WholeLogs();
  #closed: Promise<void> | undefined;

  constructor({ database, renewals, channel, hints, clock, onClosed }: PostgresStoreParts) {
    this.#onClosed = onClosed;
    this.#database = database;
    this.#renewals = renewals;
    this.#channel = channel;
    this.#hints = hints;
    this.values = new ValueTable(
      () => this.#open,
      (key) => this.#announce({ type: "value", key }),
    );
    this.transcripts = new TranscriptTable(
      () => this.#open,
      (sessionId, work) => this.#write(sessionId, work),
    );
    this.#joint = jointStatements(database);
    this.#writes = new WriteQueue(this.#joint.append);
    this.#health = new WriteHealth({
      probe: () =>
        database.use((statements) => statements.run(probe), { isRepeatable: true, patienceMs: 0 }),
      clock,
    });
  }

  async createSession(record: SessionRecord, holder: string, ttlMs: number): Promise<Lease> {
    const { sessionId } = record;
    const lease = await this.#write(sessionId, async (database) => {
      await holderTable.extendHolder(database, holder, ttlMs);
      return retention.createSession(database, record, holder);
    });
    this.#whole.add(sessionId);
    this.#announce({ type: "created", sessionId });
    return lease;
  }

  async acquireLease(request: LeaseRequest): Promise<Lease | undefined> {
    const { sessionId, holder, ttlMs } = request;
    const lease = await this.#write(sessionId, async (database) => {
      const found = await sessionTable.lookUpSession(database, request);
      if (!found || found.is_held_by_other) return undefined;
      const isWhole = this.#whole.has(sessionId);
      const upTo = isWhole ? Infinity : await findWholePart(database, found);
      const whole = { sessionKey: found.session_key, upTo };
      await holderTable.extendHolder(database, holder, ttlMs);
      return database.transaction(
        (statements) => sessionTable.takeSession(statements, request, whole),
        { isRepeatable: true },
      );
    });
    if (lease) this.#whole.add(sessionId);
    return lease;
  }

  async releaseLease(sessionId: string, generation: number): Promise<void> {
    const isReleased = await this.#write(sessionId, (database) =>
      sessionTable.releaseSession(database, sessionId, generation),
    );
    if (isReleased) this.#announce({ type: "released", sessionId });
  }

  async renewHolder(
    holder: string,
    ttlMs: number,
    description?: HostDescription,
  ): Promise<boolean> {
    this.#checkOpen();
    return this.#renewals.use(
      (statements) => holderTable.renewHolder(statements, holder, ttlMs, description),
      { isRepeatable: true, patienceMs: RENEW_PATIENCE_MS },
    );
  }

  async removeHolder(holder: string): Promise<void> {
    const released = await holderTable.removeHolder(this.#open, holder);
    this.#announce(...released.map((sessionId) => ({ type: "released" as const, sessionId })));
  }

  async listHosts(): Promise<HostRecord[]> {
    return holderTable.listHosts(this.#open);
  }

  async listOrphans(query: OrphanQuery): Promise<string[]> {
    return holderTable.listOrphans(this.#open, query);
  }

  async append(batch: AppendBatch): Promise<void> {
    this.#checkOpen();
    await this.#noting(this.#writes.append(batch));
    this.#announce(...hintsOf(batch));
  }

  async read(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Number.MAX_SAFE_INTEGER,
  ): Promise<StoredEvent[]> {
    this.#checkOpen();
    return readEvents(this.#joint.readPage, { sessionId, after, limit, maxBytes });
  }

  async findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined> {
    return attachmentTable.findAttachment(this.#open, sessionId, digest);
  }

  async readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    return attachmentTable.readAttachment(this.#open, { sessionId, digest }, range);
  }

  async findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined> {
    return sessionTable.findInput(this.#open, sessionId, clientMessageId);
  }

  async getSession(sessionId: string): Promise<SessionRecord | undefined> {
    return sessionTable.findSession(this.#open, sessionId);
  }

  async listSessions(filter: SessionFilter): Promise<SessionRecord[]> {
    return sessionTable.listSessions(this.#open, filter);
  }

  async removeSession(sessionId: string): Promise<void> {
    const owner = await this.#write(sessionId, (database) =>
      retention.removeUnheld(database, sessionId),
    );
    this.#removed(sessionId, owner);
  }

  async deleteSession(sessionId: string, generation: number): Promise<void> {
    const lease = { sessionId, generation };
    const owner = await this.#write(sessionId, (database) =>
      database.transaction(
        (statements, isRepeat) => retention.hideSession(statements, lease, isRepeat),
        { isRepeatable: true },
      ),
    );
    this.#removed(sessionId, owner);
  }

  async purgeDeleted(olderThanMs: number): Promise<void> {
    const database = this.#open;
    await retention.purgeDeleted(database, olderThanMs);
    await inboxTable.forgetOldAnswers(database, olderThanMs);
    await holderTable.forgetDeadHolders(database);
    await this.values.prune();
  }

  async trim(sessionId: string, generation: number, base: BaseState): Promise<void> {
    const lease = { sessionId, generation };
    await this.#write(sessionId, (database) => retention.trimSession(database, lease, base));
  }

  async readBase(sessionId: string): Promise<BaseState | undefined> {
    return sessionTable.readBase(this.#open, sessionId);
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    return searchSaid(this.#open, query);
  }

  async putInboxEntry(sessionId: string, body: string): Promise<string> {
    const entryId = await inboxTable.putInboxEntry(this.#open, sessionId, body);
    this.#announce({ type: "inbox", sessionId });
    return entryId;
  }

  async readInbox(sessionId: string, limit: number): Promise<InboxEntry[]> {
    return inboxTable.readInbox(this.#open, sessionId, limit);
  }

  async listWaitingInboxes(holder: string): Promise<string[]> {
    return inboxTable.listWaitingInboxes(this.#open, holder);
  }

  async beginInboxEntry(sessionId: string, generation: number, entryId: string): Promise<void> {
    const lease = { sessionId, generation };
    await this.#write(sessionId, (database) =>
      database.transaction((statements) => inboxTable.beginInboxEntry(statements, lease, entryId), {
        isRepeatable: true,
      }),
    );
  }

  async answerInboxEntry(
    sessionId: string,
    generation: number,
    answer: InboxAnswer,
  ): Promise<void> {
    const lease = { sessionId, generation };
    await this.#write(sessionId, (database) =>
      database.transaction(
        (statements, isRepeat) =>
          inboxTable.answerInboxEntry(statements, lease, { ...answer, isRepeat }),
        { isRepeatable: true },
      ),
    );
    this.#announce({ type: "answer", entryId: answer.entryId });
  }

  async findInboxAnswer(entryId: string): Promise<string | undefined> {
    return inboxTable.findInboxAnswer(this.#open, entryId);
  }

  watch(onHint: (hint: StoreHint) => void): () => void {
    return this.#hints.watch(onHint);
  }

  async readHeads(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return sessionTable.readHeads(this.#open, sessionIds);
  }

  async health(): Promise<StoreHealth> {
    const counts = {
      failedWrites: this.#health.failedWrites,
      restarts: this.#channel.reconnects,
    };
    const problem = this.#closed ? storeClosed() : await this.#health.check();
    if (!problem) return { isWritable: true, ...counts };
    return { isWritable: false, reason: problem.message, ...counts };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writes.drain();
    await this.#channel.close();
    await Promise.all([this.#database.close(), this.#renewals.close()]);
    await this.#onClosed?.();
  }

  get #open(): Database {
    this.#checkOpen();
    return this.#database;
  }

  #checkOpen(): void {
    if (this.#closed) throw storeClosed();
  }

  /** Writes after all earlier writes of the session. */
  async #write<Result>(
    sessionId: string,
    work: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    this.#checkOpen();
    return this.#noting(this.#writes.write(sessionId, () => work(this.#database)));
  }

  async #noting<Result>(work: Promise<Result>): Promise<Result> {
    try {
      const result = await work;
      this.#health.succeeded();
      return result;
    } catch (error) {
      this.#health.failed(error);
      throw error;
    }
  }

  #removed(sessionId: string, owner: string | undefined): void {
    this.#whole.delete(sessionId);
    this.#announce({ type: "removed", sessionId, owner: owner ?? "" });
  }

  /** To this process at once, to the others over the database. */
  #announce(...hints: readonly StoreHint[]): void {
    if (hints.length === 0) return;
    this.#hints.emit(...hints);
    this.#channel.send(...hints);
  }
}

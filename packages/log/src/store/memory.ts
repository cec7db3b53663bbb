import { type Clock, systemClock } from "@turnwire/base";
import type { HostDescription, HostRecord, OrphanQuery } from "../host-registry.ts";
import type { InboxAnswer, InboxEntry } from "../inbox.ts";
import type { SessionFilter, SessionRecord } from "../session-record.ts";
import type { StoreHint } from "../store-hint.ts";
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
} from "../store.ts";
import { eventsWithin } from "../event-page.ts";
import { changeFrom } from "../search/said.ts";
import { type SearchHit, type SearchPage, type SearchQuery, wordsOf } from "../search/search.ts";
import { SaidMessages, snippetOf } from "../search/search-memory.ts";
import { hintsOf, HintSource } from "./hint-source.ts";
import { MemoryBlobs } from "./memory-blobs.ts";
import { MemoryInbox } from "./memory-inbox.ts";
import { inputRefusal, listRecords, patchedRecord, type StoredSession } from "./memory-session.ts";
import { MemorySessions } from "./memory-sessions.ts";
import { MemoryValues } from "./memory-values.ts";
import {
  appendRefusal,
  attachmentUnknown,
  leaseLost,
  sessionExists,
  storeClosed,
  trimRefusal,
} from "./refusal.ts";

export interface MemoryStoreOptions {
  /** By which holders live. */
  readonly clock?: Clock;
  /** Several hosts of this process have it open at once; false by default. */
  readonly isShared?: boolean;
}

/** A store that lives and dies with the process: for tests and for sessions that need not last. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore(options);
}

class MemoryStore implements Store {
  readonly name = "memory";
  readonly isShared: boolean;
  readonly values: MemoryValues;
  readonly #now: () => number;
  readonly #sessions: MemorySessions;
  readonly #blobs = new MemoryBlobs();
  readonly #inbox: MemoryInbox;
  readonly #hints = new HintSource();
  #isClosed = false;

  constructor({ clock = systemClock, isShared = false }: MemoryStoreOptions) {
    this.isShared = isShared;
    this.#now = () => clock.now();
    this.#sessions = new MemorySessions(this.#now);
    this.#inbox = new MemoryInbox(this.#now);
    this.values = new MemoryValues({
      now: this.#now,
      isAlive: (holder) => this.#sessions.holders.isAlive(holder),
      onChanged: (key) => this.#hints.emit({ type: "value", key }),
      checkOpen: () => this.#checkOpen(),
    });
  }

  async createSession(record: SessionRecord, holder: string, ttlMs: number): Promise<Lease> {
    this.#checkOpen();
    const { sessionId } = record;
    if (this.#sessions.find(sessionId)) throw sessionExists(sessionId);
    this.#sessions.holders.extend(holder, ttlMs);
    this.#purge(sessionId);
    const kept: StoredSession = {
      record: Object.freeze({ ...structuredClone(record), head: 0, trimmed: 0 }),
      generation: this.#sessions.nextGeneration(),
      holder,
      events: [],
      inputs: new Map(),
      attachments: new Map(),
      said: new SaidMessages(),
      base: undefined,
    };
    this.#sessions.add(kept);
    this.#hints.emit({ type: "created", sessionId });
    return { generation: kept.generation, record: kept.record };
  }

  async acquireLease({ sessionId, holder, ttlMs }: LeaseRequest): Promise<Lease | undefined> {
    this.#checkOpen();
    const kept = this.#sessions.find(sessionId);
    if (!kept || (kept.holder !== holder && this.#sessions.isHeld(kept))) return undefined;
    this.#sessions.holders.extend(holder, ttlMs);
    kept.generation = this.#sessions.nextGeneration();
    kept.holder = holder;
    return { generation: kept.generation, record: kept.record };
  }

  async releaseLease(sessionId: string, generation: number): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.find(sessionId);
    if (kept?.generation !== generation || kept.holder === undefined) return;
    kept.holder = undefined;
    this.#hints.emit({ type: "released", sessionId });
  }

  async renewHolder(
    holder: string,
    ttlMs: number,
    description?: HostDescription,
  ): Promise<boolean> {
    this.#checkOpen();
    return this.#sessions.holders.renew(holder, ttlMs, description);
  }

  async removeHolder(holder: string): Promise<void> {
    this.#checkOpen();
    for (const sessionId of this.#sessions.removeHolder(holder)) {
      this.#hints.emit({ type: "released", sessionId });
    }
  }

  async listHosts(): Promise<HostRecord[]> {
    this.#checkOpen();
    return this.#sessions.hosts();
  }

  async listOrphans(query: OrphanQuery): Promise<string[]> {
    this.#checkOpen();
    return this.#sessions.orphans(query, (sessionId) => this.#inbox.has(sessionId));
  }

  async append(batch: AppendBatch): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.known(batch.sessionId);
    const refusal =
      appendRefusal(this.#sessions.positionOf(kept), batch) ??
      inputRefusal(kept, batch) ??
      this.#inbox.refusal(batch.sessionId, batch.answers ?? []) ??
      this.#blobs.refusal(batch.sessionId, batch.attachments ?? []);
    if (refusal) throw refusal;
    for (const { seq, type, json } of batch.events) {
      kept.events.push(Object.freeze({ seq, type, json }));
      const change = changeFrom({ seq, type, json });
      if (change) kept.said.apply(change);
    }
    for (const input of batch.inputs ?? []) {
      kept.inputs.set(input.clientMessageId, Object.freeze({ ...input }));
    }
    for (const attachment of batch.attachments ?? []) this.#blobs.add(kept.attachments, attachment);
    const head = kept.record.head + batch.events.length;
    kept.record = Object.freeze({ ...patchedRecord(kept.record, batch.patch ?? {}), head });
    this.#inbox.answer(batch.sessionId, batch.answers ?? []);
    this.#hints.emit(...hintsOf(batch));
  }

  async read(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Infinity,
  ): Promise<StoredEvent[]> {
    this.#checkOpen();
    const deleted = this.#sessions.deleted.get(sessionId);
    const { events } = deleted ?? this.#sessions.known(sessionId);
    const { trimmed } = deleted ?? this.#sessions.known(sessionId).record;
    return eventsWithin(events, { from: Math.max(0, after - trimmed), limit, maxBytes });
  }

  async findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined> {
    this.#checkOpen();
    return this.#sessions.find(sessionId)?.attachments.get(digest);
  }

  async readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    this.#checkOpen();
    const content =
      this.#sessions.find(sessionId)?.attachments.has(digest) && this.#blobs.read(digest);
    if (!content) throw attachmentUnknown(sessionId, digest);
    return content.slice(range?.start, range?.end);
  }

  async findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined> {
    this.#checkOpen();
    return this.#sessions.find(sessionId)?.inputs.get(clientMessageId);
  }

  async getSession(sessionId: string): Promise<SessionRecord | undefined> {
    this.#checkOpen();
    return this.#sessions.find(sessionId)?.record;
  }

  async listSessions(filter: SessionFilter): Promise<SessionRecord[]> {
    this.#checkOpen();
    return listRecords(
      this.#sessions.all().map((kept) => kept.record),
      filter,
    );
  }

  async removeSession(sessionId: string): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.known(sessionId);
    if (this.#sessions.isHeld(kept)) throw leaseLost(this.#sessions.positionOf(kept), 0);
    this.#sessions.remove(sessionId);
    this.#inbox.forget(sessionId);
    this.#removed(kept);
  }

  async deleteSession(sessionId: string, generation: number): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.held(sessionId, generation);
    this.#sessions.delete(kept);
    this.#removed(kept);
  }

  async purgeDeleted(olderThanMs: number): Promise<void> {
    this.#checkOpen();
    const limit = this.#now() - olderThanMs;
    for (const [sessionId, { deletedAt }] of this.#sessions.deleted) {
      if (deletedAt <= limit) this.#purge(sessionId);
    }
    this.#inbox.purge(olderThanMs);
  }

  async trim(sessionId: string, generation: number, base: BaseState): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.held(sessionId, generation);
    const refusal = trimRefusal(this.#sessions.positionOf(kept), base.seq);
    if (refusal) throw refusal;
    kept.events = kept.events.slice(base.seq - kept.record.trimmed);
    kept.base = structuredClone(base);
    kept.record = Object.freeze({ ...kept.record, trimmed: base.seq });
  }

  async readBase(sessionId: string): Promise<BaseState | undefined> {
    this.#checkOpen();
    return this.#sessions.find(sessionId)?.base;
  }

  async search({ text, owner, limit }: SearchQuery): Promise<SearchPage> {
    this.#checkOpen();
    const words = wordsOf(text);
    const filter = { limit: words.length === 0 ? 0 : Infinity };
    const records = await this.listSessions({ ...filter, ...(owner !== undefined && { owner }) });
    const hits = records.flatMap(({ sessionId }): SearchHit[] => {
      const found = this.#sessions.known(sessionId).said.find(words);
      if (!found) return [];
      const { seq, role } = found;
      return [{ sessionId, seq, role, snippet: snippetOf(found.text, words) }];
    });
    return { hits: hits.slice(0, limit), isComplete: true };
  }

  async putInboxEntry(sessionId: string, body: string): Promise<string> {
    this.#checkOpen();
    this.#sessions.known(sessionId);
    const entryId = this.#inbox.put(sessionId, body);
    this.#hints.emit({ type: "inbox", sessionId });
    return entryId;
  }

  async readInbox(sessionId: string, limit: number): Promise<InboxEntry[]> {
    this.#checkOpen();
    return this.#sessions.find(sessionId) ? this.#inbox.read(sessionId, limit) : [];
  }

  async listWaitingInboxes(holder: string): Promise<string[]> {
    this.#checkOpen();
    return this.#inbox.waiting().filter((id) => this.#sessions.find(id)?.holder === holder);
  }

  async beginInboxEntry(sessionId: string, generation: number, entryId: string): Promise<void> {
    this.#checkOpen();
    this.#sessions.held(sessionId, generation);
    this.#inbox.begin(sessionId, entryId, generation);
  }

  async answerInboxEntry(
    sessionId: string,
    generation: number,
    answer: InboxAnswer,
  ): Promise<void> {
    this.#checkOpen();
    if (this.#sessions.deleted.get(sessionId)?.generation !== generation)
      this.#sessions.held(sessionId, generation);
    const refusal = this.#inbox.refusal(sessionId, [answer]);
    if (refusal) throw refusal;
    this.#inbox.answer(sessionId, [answer]);
    this.#hints.emit({ type: "answer", entryId: answer.entryId });
  }

  async findInboxAnswer(entryId: string): Promise<string | undefined> {
    this.#checkOpen();
    return this.#inbox.findAnswer(entryId);
  }

  watch(onHint: (hint: StoreHint) => void): () => void {
    return this.#hints.watch(onHint);
  }

  async readHeads(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.#checkOpen();
    const heads = new Map<string, number>();
    for (const sessionId of sessionIds) {
      const { head } =
        this.#sessions.find(sessionId)?.record ?? this.#sessions.deleted.get(sessionId) ?? {};
      if (head !== undefined) heads.set(sessionId, head);
    }
    return heads;
  }

  async health(): Promise<StoreHealth> {
    const counts = { failedWrites: 0, restarts: 0 };
    if (!this.#isClosed) return { isWritable: true, ...counts };
    return { isWritable: false, reason: storeClosed().message, ...counts };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sessions.clear();
    this.#blobs.clear();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }

  #removed({ record: { sessionId, owner }, attachments }: StoredSession): void {
    this.#blobs.release(attachments.keys());
    this.#hints.emit({ type: "removed", sessionId, owner });
  }

  #purge(sessionId: string): void {
    if (this.#sessions.deleted.delete(sessionId)) this.#inbox.forget(sessionId);
  }
}

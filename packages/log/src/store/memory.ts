import type {
  AppendBatch,
  BaseState,
  ByteRange,
  Lease,
  LeaseRequest,
  NewAttachment,
  ListPosition,
  RecordPatch,
  SessionFilter,
  SessionRecord,
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
import {
  appendRefusal,
  attachmentUnknown,
  inputExists,
  leaseLost,
  sessionExists,
  sessionUnknown,
  storeClosed,
  trimRefusal,
  type WritePosition,
} from "./refusal.ts";

/** A store that lives and dies with the process: for tests and for sessions that need not last. */
export function createMemoryStore(): Store {
  return new MemoryStore();
}

/** The bytes of an attachment, shared by all sessions that name it. */
interface Blob {
  readonly content: Uint8Array;
  sessions: number;
}

interface StoredSession {
  record: SessionRecord;
  /** The newest generation ever given. */
  generation: number;
  isHeld: boolean;
  /** Starts at seq trimmed + 1. */
  events: StoredEvent[];
  readonly inputs: Map<string, StoredInput>;
  readonly attachments: Map<string, StoredAttachment>;
  readonly said: SaidMessages;
  base: BaseState | undefined;
}

class MemoryStore implements Store {
  readonly name = "memory";
  readonly #sessions = new Map<string, StoredSession>();
  readonly #blobs = new Map<string, Blob>();
  #isClosed = false;

  async createSession(record: SessionRecord): Promise<Lease> {
    this.#checkOpen();
    if (this.#sessions.has(record.sessionId)) throw sessionExists(record.sessionId);
    const kept: StoredSession = {
      record: Object.freeze({ ...structuredClone(record), head: 0, trimmed: 0 }),
      generation: 1,
      isHeld: true,
      events: [],
      inputs: new Map(),
      attachments: new Map(),
      said: new SaidMessages(),
      base: undefined,
    };
    this.#sessions.set(record.sessionId, kept);
    return { generation: kept.generation, record: kept.record };
  }

  // No other process can see this memory, so whoever asks is the only living holder.
  async acquireLease({ sessionId }: LeaseRequest): Promise<Lease | undefined> {
    this.#checkOpen();
    const kept = this.#sessions.get(sessionId);
    if (!kept) return undefined;
    kept.generation += 1;
    kept.isHeld = true;
    return { generation: kept.generation, record: kept.record };
  }

  async renewLease(sessionId: string, generation: number): Promise<boolean> {
    this.#checkOpen();
    const kept = this.#sessions.get(sessionId);
    return kept !== undefined && kept.isHeld && kept.generation === generation;
  }

  async releaseLease(sessionId: string, generation: number): Promise<void> {
    this.#checkOpen();
    const kept = this.#sessions.get(sessionId);
    if (kept?.generation === generation) kept.isHeld = false;
  }

  async append(batch: AppendBatch): Promise<void> {
    this.#checkOpen();
    const kept = this.#known(batch.sessionId);
    const refusal =
      appendRefusal(positionOf(kept), batch) ??
      inputRefusal(kept, batch) ??
      this.#attachmentRefusal(batch);
    if (refusal) throw refusal;
    for (const { seq, type, json } of batch.events) {
      kept.events.push(Object.freeze({ seq, type, json }));
      const change = changeFrom({ seq, type, json });
      if (change) kept.said.apply(change);
    }
    for (const input of batch.inputs ?? []) {
      kept.inputs.set(input.clientMessageId, Object.freeze({ ...input }));
    }
    for (const attachment of batch.attachments ?? []) this.#keepAttachment(kept, attachment);
    const head = kept.record.head + batch.events.length;
    kept.record = Object.freeze({ ...patchedRecord(kept.record, batch.patch ?? {}), head });
  }

  async read(
    sessionId: string,
    after: number,
    limit: number,
    maxBytes = Infinity,
  ): Promise<StoredEvent[]> {
    this.#checkOpen();
    const kept = this.#known(sessionId);
    const from = Math.max(0, after - kept.record.trimmed);
    return eventsWithin(kept.events, { from, limit, maxBytes });
  }

  async findAttachment(sessionId: string, digest: string): Promise<StoredAttachment | undefined> {
    this.#checkOpen();
    return this.#sessions.get(sessionId)?.attachments.get(digest);
  }

  async readAttachment(sessionId: string, digest: string, range?: ByteRange): Promise<Uint8Array> {
    this.#checkOpen();
    const blob = this.#known(sessionId).attachments.has(digest) && this.#blobs.get(digest);
    if (!blob) throw attachmentUnknown(sessionId, digest);
    return range ? blob.content.slice(range.start, range.end) : blob.content.slice();
  }

  async findInput(sessionId: string, clientMessageId: string): Promise<StoredInput | undefined> {
    this.#checkOpen();
    return this.#sessions.get(sessionId)?.inputs.get(clientMessageId);
  }

  async getSession(sessionId: string): Promise<SessionRecord | undefined> {
    this.#checkOpen();
    return this.#sessions.get(sessionId)?.record;
  }

  async listSessions(filter: SessionFilter): Promise<SessionRecord[]> {
    this.#checkOpen();
    const { owner, status, activity, isPartial = false, limit, after } = filter;
    const isOwned = (record: SessionRecord) => owner === undefined || record.owner === owner;
    return [...this.#sessions.values()]
      .map((kept) => kept.record)
      .filter(
        (record) =>
          isOwned(record) &&
          (record.isPartial ?? false) === isPartial &&
          (status === undefined || record.status === status) &&
          (activity === undefined || record.activity === activity) &&
          (after === undefined || compareListed(after, record) < 0),
      )
      .toSorted(compareListed)
      .slice(0, limit);
  }

  async removeSession(sessionId: string): Promise<void> {
    this.#checkOpen();
    const kept = this.#known(sessionId);
    if (kept.isHeld) throw leaseLost(positionOf(kept), 0);
    this.#sessions.delete(sessionId);
  }

  async deleteSession(sessionId: string, generation: number): Promise<void> {
    this.#checkOpen();
    const { attachments } = this.#held(sessionId, generation);
    this.#sessions.delete(sessionId);
    for (const digest of attachments.keys()) {
      const blob = this.#blobs.get(digest);
      if (blob && --blob.sessions === 0) this.#blobs.delete(digest);
    }
  }

  async trim(sessionId: string, generation: number, base: BaseState): Promise<void> {
    this.#checkOpen();
    const kept = this.#held(sessionId, generation);
    const refusal = trimRefusal(positionOf(kept), base.seq);
    if (refusal) throw refusal;
    kept.events = kept.events.slice(base.seq - kept.record.trimmed);
    kept.base = structuredClone(base);
    kept.record = Object.freeze({ ...kept.record, trimmed: base.seq });
  }

  async readBase(sessionId: string): Promise<BaseState | undefined> {
    this.#checkOpen();
    return this.#sessions.get(sessionId)?.base;
  }

  async search({ text, owner, limit }: SearchQuery): Promise<SearchPage> {
    this.#checkOpen();
    const words = wordsOf(text);
    const filter = { limit: words.length === 0 ? 0 : Infinity };
    const records = await this.listSessions({ ...filter, ...(owner !== undefined && { owner }) });
    const hits = records.flatMap(({ sessionId }): SearchHit[] => {
      const found = this.#known(sessionId).said.find(words);
      if (!found) return [];
      const { seq, role } = found;
      return [{ sessionId, seq, role, snippet: snippetOf(found.text, words) }];
    });
    return { hits: hits.slice(0, limit), isComplete: true };
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

  #known(sessionId: string): StoredSession {
    const kept = this.#sessions.get(sessionId);
    if (!kept) throw sessionUnknown(sessionId);
    return kept;
  }

  #attachmentRefusal({ sessionId, attachments = [] }: AppendBatch) {
    const unknown = attachments.find(
      ({ digest, content }) => content === undefined && !this.#blobs.has(digest),
    );
    return unknown && attachmentUnknown(sessionId, unknown.digest);
  }

  #keepAttachment(kept: StoredSession, { content, ...attachment }: NewAttachment): void {
    const { digest } = attachment;
    if (kept.attachments.has(digest)) return;
    kept.attachments.set(digest, Object.freeze(attachment));
    const blob = this.#blobs.get(digest) ?? { content: new Uint8Array(content ?? []), sessions: 0 };
    blob.sessions += 1;
    this.#blobs.set(digest, blob);
  }

  #held(sessionId: string, generation: number): StoredSession {
    const kept = this.#known(sessionId);
    const position = positionOf(kept);
    if (position.generation !== generation) throw leaseLost(position, generation);
    return kept;
  }
}

function positionOf({ record, generation, isHeld }: StoredSession): WritePosition {
  const { sessionId, head, trimmed } = record;
  return { sessionId, generation: isHeld ? generation : undefined, head, trimmed };
}

function inputRefusal(kept: StoredSession, batch: AppendBatch) {
  const seen = new Set<string>();
  for (const { clientMessageId } of batch.inputs ?? []) {
    if (kept.inputs.has(clientMessageId) || seen.has(clientMessageId)) {
      return inputExists(batch.sessionId, clientMessageId);
    }
    seen.add(clientMessageId);
  }
  return undefined;
}

/** The order of lists: newest update first, then highest id first. */
function compareListed(left: ListPosition, right: ListPosition): number {
  if (left.updatedAt !== right.updatedAt) return left.updatedAt < right.updatedAt ? 1 : -1;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? 1 : -1;
}

const removable = [
  "title",
  "model",
  "effort",
  "permissionMode",
  "policyMode",
  "providerSessionId",
] as const;

function patchedRecord(record: SessionRecord, patch: RecordPatch): SessionRecord {
  const { title, model, effort, permissionMode, policyMode, providerSessionId, ...others } = patch;
  const { isPartial, ...plain } = others;
  const next: { -readonly [Field in keyof SessionRecord]: SessionRecord[Field] } = {
    ...record,
    ...plain,
  };
  const optional = { title, model, effort, permissionMode, policyMode, providerSessionId };
  if (isPartial === null) delete next.isPartial;
  for (const field of removable) {
    const value = optional[field];
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value;
  }
  return next;
}

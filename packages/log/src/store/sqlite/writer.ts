import { faultPoint } from "../../fault-point.ts";
import type { Lease } from "../../store.ts";
import { StoreError } from "../../store-error.ts";
import { originFromRecord } from "../record-parts.ts";
import {
  inputExists,
  leaseLost,
  notContiguous,
  recordDamaged,
  sessionExists,
  sessionUnknown,
  trimRefusal,
} from "../refusal.ts";
import { AttachmentWriter } from "./attachment-table.ts";
import type { Database } from "./driver.ts";
import { checksumOf } from "./event-row.ts";
import { storeErrorFrom } from "./failure.ts";
import { Purge } from "./purge.ts";
import { columnsFromRecord, mergePatchFrom, recordFromRow } from "./record-row.ts";
import { InboxWriter } from "./inbox-table.ts";
import { type LeasedSession, LeasedSessions } from "./leased-sessions.ts";
import { repairHead } from "./repair.ts";
import { SearchWriter } from "./search-writer.ts";
import { SessionRemoval } from "./session-removal.ts";
import { prepareStatements } from "./statement.ts";
import { TranscriptWriter } from "./transcript-table.ts";
import {
  isRegistryWrite,
  type PackedBatch,
  type RegistryWrite,
  type StoredWrite,
  type Write,
  type WriteAnswer,
  type WriteOf,
  type WriteOutcome,
} from "./write.ts";

export interface WriterSettings {
  readonly isRestart?: boolean;
  readonly now?: () => number;
}

/**
 * Turns groups of writes into transactions. What a group changes of the leases and heads is staged
 * and counts only once the transaction is committed.
 */
export class Writer {
  readonly #database: Database;
  readonly #path: string;
  readonly #statements;
  readonly #attachments: AttachmentWriter;
  readonly #purge: Purge;
  readonly #search: SearchWriter;
  readonly #inbox: InboxWriter;
  readonly #transcripts: TranscriptWriter;
  readonly #removal: SessionRemoval;
  readonly #leases: LeasedSessions;
  readonly #now: () => number;

  constructor(database: Database, path: string, settings: WriterSettings = {}) {
    const { isRestart = false, now = () => Date.now() } = settings;
    this.#now = now;
    this.#leases = new LeasedSessions({ now, isRestart });
    this.#inbox = new InboxWriter(database);
    this.#database = database;
    this.#path = path;
    this.#statements = prepareStatements(database);
    this.#attachments = new AttachmentWriter(database);
    this.#search = new SearchWriter(database);
    this.#purge = new Purge(database, this.#attachments, this.#search);
    this.#transcripts = new TranscriptWriter(database);
    this.#removal = new SessionRemoval(database, {
      inbox: this.#inbox,
      search: this.#search,
      purge: this.#purge,
      transcripts: this.#transcripts,
    });
  }

  /**
   * Commits all writes together; a refused write leaves nothing and does not disturb the others.
   * What concerns holders happens between transactions: it would not be undone with one.
   */
  commit(writes: readonly Write[]): WriteOutcome[] {
    const outcomes: WriteOutcome[] = [];
    let group: StoredWrite[] = [];
    for (const write of writes) {
      if (isRegistryWrite(write)) {
        outcomes.push(...this.#commit(group), this.#registryOutcome(write));
        group = [];
      } else group.push(write);
    }
    return [...outcomes, ...this.#commit(group)];
  }

  /** Removes some rows that are not visible any more, or makes some old ones searchable; false when there are none. */
  purge(): boolean {
    try {
      return this.#purge.step() || this.#search.step();
    } catch (error) {
      this.#rollBack();
      throw storeErrorFrom(error, this.#path);
    }
  }

  #commit(writes: readonly StoredWrite[]): WriteOutcome[] {
    if (writes.length === 0) return [];
    try {
      return this.#transact(writes);
    } catch (error) {
      this.#rollBack();
      if (writes.length === 1) return [refusalFrom(storeErrorFrom(error, this.#path))];
      // One write may be too much for the disk where the others are not.
      return writes.flatMap((write) => this.#commit([write]));
    }
  }

  #transact(writes: readonly StoredWrite[]): WriteOutcome[] {
    this.#database.exec("BEGIN IMMEDIATE");
    const outcomes = writes.map((write) => this.#outcomeOf(write));
    for (const sessionId of this.#leases.stagedIds()) this.#flush(sessionId);
    faultPoint("before_commit");
    this.#database.exec("COMMIT");
    faultPoint("after_commit");
    this.#leases.commit();
    return outcomes;
  }

  #registryOutcome(write: RegistryWrite): WriteOutcome {
    try {
      const { unsettled } = this.#statements;
      return {
        answer: this.#leases.apply(write, (storage) =>
          unsettled.all(Number(storage === undefined), storage ?? "").map((row) => String(row[0])),
        ),
      };
    } catch (error) {
      return refusalFrom(storeErrorFrom(error, this.#path));
    }
  }

  #rollBack(): void {
    this.#leases.rollBack();
    if (this.#database.isInTransaction()) this.#database.exec("ROLLBACK");
  }

  #outcomeOf(write: StoredWrite): WriteOutcome {
    try {
      return { answer: this.#apply(write) };
    } catch (error) {
      if (error instanceof StoreError) return refusalFrom(error);
      throw error;
    }
  }

  /** Throws a StoreError to refuse, and only before the first row is written. */
  #apply(write: StoredWrite): WriteAnswer {
    switch (write.type) {
      case "create":
        return this.#create(write);
      case "acquire":
        return this.#acquire(write);
      case "remove":
        return this.#remove(write);
      case "release":
        return this.#release(write);
      case "append":
        return this.#append(write.batch);
      case "delete":
        return this.#delete(write);
      case "trim":
        return this.#trim(write);
      case "purge_deleted":
        return this.#purgeDeleted(write);
      case "append_transcript": {
        const { key } = this.#heldBy(write.sessionId, write.generation);
        this.#transcripts.append(key, write.key, write.lines);
        return undefined;
      }
      case "put_entry":
        this.#inbox.put(this.#keyOf(write.sessionId), write);
        return undefined;
      case "begin_entry":
        this.#inbox.begin(this.#heldBy(write.sessionId, write.generation), write);
        return undefined;
      case "answer_entry":
        return this.#answer(write);
      case "probe":
        this.#statements.probe.run();
        return undefined;
    }
  }

  #create({ record, holder, ttlMs }: WriteOf<"create">): Lease {
    const { sessionId } = record;
    if (this.#statements.sessionKey.all(sessionId).length > 0) throw sessionExists(sessionId);
    this.#leases.holders.extend(holder, ttlMs);
    this.#removal.purge(sessionId);
    // A lease on an earlier session of this id is not good for this one.
    const generation = this.#removal.newestGone + 1;
    this.#statements.insertSession.run(...columnsFromRecord(record, generation));
    const key = Number(this.#statements.sessionKey.all(sessionId)[0]?.[0]);
    this.#statements.insertOrigin.run(key, originFromRecord(record));
    this.#leases.stage(sessionId, { sessionId, key, generation, holder, head: 0, trimmed: 0 });
    return { generation, record: { ...record, head: 0, trimmed: 0 } };
  }

  // Only this process has the store open, so a lease that it did not give died with its process.
  #acquire({ sessionId, holder, ttlMs }: WriteOf<"acquire">): Lease | undefined {
    this.#flush(sessionId);
    if ((this.#leases.find(sessionId)?.holder ?? holder) !== holder) return undefined;
    const [row] = this.#statements.position.all(sessionId);
    if (!row) return undefined;
    if (recordFromRow(this.#recordRow(sessionId)).isDamaged) throw recordDamaged(sessionId);
    const [key, generation, head, trimmed] = row.map(Number) as [number, number, number, number];
    const next = generation + 1;
    this.#statements.setGeneration.run(next, key);
    const found = repairHead(this.#database, { key, head, trimmed });
    this.#leases.holders.extend(holder, ttlMs);
    const position = { sessionId, key, generation: next, head: found, trimmed };
    this.#leases.stage(sessionId, { ...position, holder });
    return { generation: next, record: recordFromRow(this.#recordRow(sessionId)) };
  }

  #release({ sessionId, generation }: WriteOf<"release">): boolean {
    if (this.#leases.find(sessionId)?.generation !== generation) return false;
    this.#flush(sessionId);
    this.#leases.stage(sessionId, undefined);
    return true;
  }

  #append(batch: PackedBatch): undefined {
    const held = this.#heldBy(batch.sessionId, batch.generation);
    const refusal = seqRefusal(held, batch) ?? this.#inputRefusal(held, batch);
    if (refusal) throw refusal;
    const { attachments = [], answers = [] } = batch;
    this.#attachments.check(batch.sessionId, attachments);
    this.#inbox.check(held, answers);
    this.#inbox.answer(answers, this.#now());
    this.#attachments.insert(held.key, attachments);
    for (const row of batch.events) {
      const { seq, count, types, json } = row;
      this.#statements.insertEvents.run(held.key, seq, count, types, json, checksumOf(row));
    }
    this.#search.add(held.key, batch.events);
    for (const { clientMessageId, seq, digest } of batch.inputs ?? []) {
      this.#statements.insertInput.run(held.key, JSON.stringify(clientMessageId), seq, digest);
    }
    const head = batch.events.at(-1)?.seq ?? held.head;
    const patch = { ...held.patch, ...batch.patch };
    this.#leases.stage(batch.sessionId, { ...held, head, patch });
  }

  #remove({ sessionId }: WriteOf<"remove">): { owner: string } {
    const held = this.#leases.find(sessionId);
    if (held) throw leaseLost(held, 0);
    const key = this.#keyOf(sessionId);
    const generation = Number(this.#statements.position.all(sessionId)[0]?.[1]);
    const owner = this.#removal.remove({ key, generation });
    this.#leases.stage(sessionId, undefined);
    return { owner };
  }

  #delete({ sessionId, generation }: WriteOf<"delete">): { owner: string } {
    const owner = this.#removal.delete(this.#heldBy(sessionId, generation), this.#now());
    this.#leases.stage(sessionId, undefined);
    return { owner };
  }

  #purgeDeleted({ olderThanMs }: WriteOf<"purge_deleted">): undefined {
    const until = this.#now() - olderThanMs;
    this.#removal.purgeOld(until);
    this.#inbox.purge(until);
  }

  #answer({ sessionId, generation, answer }: WriteOf<"answer_entry">): undefined {
    const deleted = this.#removal.find(sessionId);
    const session =
      deleted?.generation === generation ? deleted : this.#heldBy(sessionId, generation);
    this.#inbox.check({ sessionId, key: session.key }, [answer]);
    this.#inbox.answer([answer], this.#now());
  }

  #trim({ sessionId, generation, seq, state }: WriteOf<"trim">): undefined {
    const held = this.#heldBy(sessionId, generation);
    const refusal = trimRefusal(held, seq);
    if (refusal) throw refusal;
    this.#statements.setTrimmed.run(seq, held.key);
    this.#statements.setBase.run(held.key, seq, state);
    this.#purge.add(held.key, seq);
    this.#leases.stage(sessionId, { ...held, trimmed: seq });
  }

  #inputRefusal(held: LeasedSession, { inputs = [] }: PackedBatch): StoreError | undefined {
    const ids = inputs.map((input) => JSON.stringify(input.clientMessageId));
    const repeated = inputs.find(
      (_, index) =>
        ids.indexOf(ids[index] ?? "") !== index ||
        this.#statements.input.all(held.key, ids[index] ?? "").length > 0,
    );
    return repeated && inputExists(held.sessionId, repeated.clientMessageId);
  }

  #heldBy(sessionId: string, generation: number): LeasedSession {
    const held = this.#leases.find(sessionId);
    if (held?.generation === generation) return held;
    this.#keyOf(sessionId);
    throw leaseLost({ sessionId, generation: held?.generation }, generation);
  }

  #keyOf(sessionId: string): number {
    const [row] = this.#statements.sessionKey.all(sessionId);
    if (!row) throw sessionUnknown(sessionId);
    return Number(row[0]);
  }

  /** Brings the session's row up to what is staged, once for all appends of a transaction. */
  #flush(sessionId: string): void {
    const held = this.#leases.staged(sessionId);
    if (!held?.patch) return;
    const { patch, ...flushed } = held;
    const { status, activity, updatedAt } = patch;
    const { setHead, setRecord } = this.#statements;
    if (Object.keys(patch).length === 0) setHead.run(held.head, held.key);
    else {
      setRecord.run(
        held.head,
        status ?? null,
        activity ?? null,
        updatedAt ?? null,
        mergePatchFrom(patch),
        held.key,
      );
    }
    this.#leases.stage(sessionId, flushed);
  }

  #recordRow(sessionId: string) {
    const [row] = this.#statements.record.all(sessionId);
    if (!row) throw sessionUnknown(sessionId);
    return row;
  }
}

function seqRefusal(held: LeasedSession, { events }: PackedBatch): StoreError | undefined {
  let { head } = held;
  for (const { seq, count } of events) {
    if (seq - count !== head) return notContiguous(held, head + 1, seq - count + 1);
    head = seq;
  }
  return undefined;
}

function refusalFrom({ code, message }: StoreError): WriteOutcome {
  return { refusal: { code, message } };
}

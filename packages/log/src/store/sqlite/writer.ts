import { faultPoint } from "../../fault-point.ts";
import { type Lease, type RecordPatch, StoreError } from "../../store.ts";
import {
  inputExists,
  leaseLost,
  notContiguous,
  recordDamaged,
  sessionExists,
  sessionUnknown,
  trimRefusal,
  type WritePosition,
} from "../refusal.ts";
import { AttachmentWriter } from "./attachment-table.ts";
import type { Database } from "./driver.ts";
import { checksumOf } from "./event-row.ts";
import { storeErrorFrom } from "./failure.ts";
import { EVERY_SEQ, Purge } from "./purge.ts";
import {
  columnsFromRecord,
  factsFromPatch,
  originFromRecord,
  recordFromRow,
} from "./record-row.ts";
import { repairHead } from "./repair.ts";
import { SearchWriter } from "./search-writer.ts";
import { prepareStatements } from "./statement.ts";
import type { PackedBatch, Write, WriteAnswer, WriteOf, WriteOutcome } from "./write.ts";

/** A session with a lease given by this process; the rest of the world cannot write. */
interface LeasedSession extends WritePosition {
  readonly key: number;
  readonly generation: number;
  /** What the transaction has yet to write to the session's row; undefined when nothing. */
  readonly patch?: RecordPatch;
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
  readonly #held = new Map<string, LeasedSession>();
  readonly #staged = new Map<string, LeasedSession | undefined>();

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#statements = prepareStatements(database);
    this.#attachments = new AttachmentWriter(database);
    this.#search = new SearchWriter(database);
    this.#purge = new Purge(database, this.#attachments, this.#search);
  }

  /** Commits all writes together; a refused write leaves nothing and does not disturb the others. */
  commit(writes: readonly Write[]): WriteOutcome[] {
    try {
      return this.#transact(writes);
    } catch (error) {
      this.#rollBack();
      if (writes.length === 1) return [refusalFrom(storeErrorFrom(error, this.#path))];
      // One write may be too much for the disk where the others are not.
      return writes.flatMap((write) => this.commit([write]));
    }
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

  #transact(writes: readonly Write[]): WriteOutcome[] {
    this.#database.exec("BEGIN IMMEDIATE");
    const outcomes = writes.map((write) => this.#outcomeOf(write));
    for (const sessionId of this.#staged.keys()) this.#flush(sessionId);
    faultPoint("before_commit");
    this.#database.exec("COMMIT");
    faultPoint("after_commit");
    for (const [sessionId, held] of this.#staged) {
      if (held) this.#held.set(sessionId, held);
      else this.#held.delete(sessionId);
    }
    this.#staged.clear();
    return outcomes;
  }

  #rollBack(): void {
    this.#staged.clear();
    if (this.#database.isInTransaction()) this.#database.exec("ROLLBACK");
  }

  #outcomeOf(write: Write): WriteOutcome {
    try {
      return { answer: this.#apply(write) };
    } catch (error) {
      if (error instanceof StoreError) return refusalFrom(error);
      throw error;
    }
  }

  /** Throws a StoreError to refuse, and only before the first row is written. */
  #apply(write: Write): WriteAnswer {
    switch (write.type) {
      case "create":
        return this.#create(write);
      case "acquire":
        return this.#acquire(write);
      case "remove":
        return this.#remove(write);
      case "renew":
        return this.#find(write.sessionId)?.generation === write.generation;
      case "release":
        return this.#release(write);
      case "append":
        return this.#append(write.batch);
      case "delete":
        return this.#delete(write);
      case "trim":
        return this.#trim(write);
      case "probe":
        this.#statements.probe.run();
        return undefined;
    }
  }

  #create({ record }: WriteOf<"create">): Lease {
    const { sessionId } = record;
    if (this.#statements.sessionKey.all(sessionId).length > 0) throw sessionExists(sessionId);
    const generation = 1;
    this.#statements.insertSession.run(...columnsFromRecord(record, generation));
    const key = Number(this.#statements.sessionKey.all(sessionId)[0]?.[0]);
    this.#statements.insertOrigin.run(key, originFromRecord(record));
    this.#staged.set(sessionId, { sessionId, key, generation, head: 0, trimmed: 0 });
    return { generation, record: { ...record, head: 0, trimmed: 0 } };
  }

  // Only this process has the store open, so a lease of anybody else died with its process.
  #acquire({ sessionId }: WriteOf<"acquire">): Lease | undefined {
    this.#flush(sessionId);
    const [row] = this.#statements.position.all(sessionId);
    if (!row) return undefined;
    if (recordFromRow(this.#recordRow(sessionId)).isDamaged) throw recordDamaged(sessionId);
    const [key, generation, head, trimmed] = row.map(Number) as [number, number, number, number];
    const next = generation + 1;
    this.#statements.setGeneration.run(next, key);
    const found = repairHead(this.#database, { key, head, trimmed });
    this.#staged.set(sessionId, { sessionId, key, generation: next, head: found, trimmed });
    return { generation: next, record: recordFromRow(this.#recordRow(sessionId)) };
  }

  #release({ sessionId, generation }: WriteOf<"release">): undefined {
    if (this.#find(sessionId)?.generation !== generation) return;
    this.#flush(sessionId);
    this.#staged.set(sessionId, undefined);
  }

  #append(batch: PackedBatch): undefined {
    const held = this.#heldBy(batch.sessionId, batch.generation);
    const refusal = seqRefusal(held, batch) ?? this.#inputRefusal(held, batch);
    if (refusal) throw refusal;
    const { attachments = [] } = batch;
    this.#attachments.check(batch.sessionId, attachments);
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
    this.#staged.set(batch.sessionId, { ...held, head, patch: { ...held.patch, ...batch.patch } });
  }

  #remove({ sessionId }: WriteOf<"remove">): undefined {
    const held = this.#find(sessionId);
    if (held) throw leaseLost(held, 0);
    const [row] = this.#statements.sessionKey.all(sessionId);
    if (!row) throw sessionUnknown(sessionId);
    this.#deleteRows(sessionId, Number(row[0]));
  }

  #delete({ sessionId, generation }: WriteOf<"delete">): undefined {
    this.#deleteRows(sessionId, this.#heldBy(sessionId, generation).key);
  }

  #deleteRows(sessionId: string, key: number): void {
    for (const statement of this.#statements.deleteSession) statement.run(key);
    this.#search.forget(key);
    this.#purge.add(key, EVERY_SEQ);
    this.#staged.set(sessionId, undefined);
  }

  #trim({ sessionId, generation, seq, state }: WriteOf<"trim">): undefined {
    const held = this.#heldBy(sessionId, generation);
    const refusal = trimRefusal(held, seq);
    if (refusal) throw refusal;
    this.#statements.setTrimmed.run(seq, held.key);
    this.#statements.setBase.run(held.key, seq, state);
    this.#purge.add(held.key, seq);
    this.#staged.set(sessionId, { ...held, trimmed: seq });
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

  #find(sessionId: string): LeasedSession | undefined {
    return this.#staged.has(sessionId) ? this.#staged.get(sessionId) : this.#held.get(sessionId);
  }

  #heldBy(sessionId: string, generation: number): LeasedSession {
    const held = this.#find(sessionId);
    if (held?.generation === generation) return held;
    const [row] = this.#statements.position.all(sessionId);
    if (!row) throw sessionUnknown(sessionId);
    throw leaseLost({ sessionId, generation: held?.generation }, generation);
  }

  /** Brings the session's row up to what is staged, once for all appends of a transaction. */
  #flush(sessionId: string): void {
    const held = this.#staged.get(sessionId);
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
        factsFromPatch(patch),
        held.key,
      );
    }
    this.#staged.set(sessionId, flushed);
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

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { initialState, type SessionState } from "@turnwire/protocol";
import {
  type BaseState,
  type Lease,
  type SessionRecord,
  type Store,
  type StoredEvent,
  StoreError,
} from "@turnwire/log";

/** Promises of a store beyond the common part of the contract. */
export interface StoreCapabilities {
  /** Its content outlives closing and opening again. */
  readonly durable: boolean;
  /** Several processes may have it open at once: what one does, the others see. */
  readonly shared: boolean;
  /** It keeps transcripts of agents. */
  readonly transcripts?: boolean;
}

/** Somewhere a store keeps its data. Opening twice, one after the other, finds the same data. */
export interface StorePlace {
  open(): Promise<Store>;
  /** Called when all stores of the place are closed. */
  remove(): Promise<void>;
}

/** The input of every part of the contract: a store that is open before each test. */
export interface StoreFixture {
  readonly store: () => Store;
  readonly createPlace: () => Promise<StorePlace>;
  readonly capabilities: StoreCapabilities;
}

export const HOLDER = "host-a";
export const TTL_MS = 60_000;

/** A record of a new session with an id that no other test has. */
export function newRecord(given: Partial<SessionRecord> = {}): SessionRecord {
  return {
    sessionId: randomUUID(),
    owner: "ann",
    epoch: randomUUID(),
    runtime: "demo",
    options: { runtime: "demo", params: { nested: { list: [1, "two", null] } } },
    status: "live",
    activity: "idle",
    cwd: "/work",
    createdAt: "2026-11-15T09:00:00.000Z",
    updatedAt: "2026-11-15T09:00:00.000Z",
    head: 0,
    trimmed: 0,
    ...given,
  };
}

export function newSession(store: Store, given: Partial<SessionRecord> = {}): Promise<Lease> {
  return store.createSession(newRecord(given), HOLDER, TTL_MS);
}

/** Events `first` to `last`, each with bytes of its own. */
export function eventsFrom(first: number, last: number, text = "hello"): StoredEvent[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const seq = first + index;
    return { seq, type: "delta", json: JSON.stringify({ seq, type: "delta", data: { text } }) };
  });
}

/** A state to put in the place of removed events; `shared` distinguishes it from others. */
export function baseAt(seq: number, shared: SessionState["shared"] = null): BaseState {
  return { seq, state: { ...initialState(), seq, shared } };
}

/** A session that already has `count` events. */
export async function newLog(store: Store, count: number, holder = HOLDER) {
  const { generation, record } = await store.createSession(newRecord(), holder, TTL_MS);
  const { sessionId } = record;
  const events = eventsFrom(1, count);
  await store.append({ sessionId, generation, events });
  return { sessionId, generation, events };
}

/** Waits until a holder's time has run out by the store's clock. */
export async function lapse(store: Store, holder: string): Promise<void> {
  const { sessionId } = newRecord();
  await store.createSession(newRecord({ sessionId }), holder, TTL_MS);
  await store.renewHolder(holder, 1);
  const other = { sessionId, holder: randomUUID(), ttlMs: TTL_MS };
  for (;;) {
    const lease = await store.acquireLease(other);
    if (lease) return store.deleteSession(sessionId, lease.generation);
    await setTimeout(1);
  }
}

/** The code of the StoreError that refused the work; undefined when it was done. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === "fulfilled") return undefined;
  const { reason } = outcome;
  if (!(reason instanceof StoreError)) throw reason;
  return reason.code;
}

import type { HostRecord, OrphanQuery } from "../host-registry.ts";
import type { StoredEvent } from "../store.ts";
import { countHeld, Holders } from "./holders.ts";
import { compareListed, isUnsettled, type StoredSession } from "./memory-session.ts";
import { leaseLost, sessionUnknown, type WritePosition } from "./refusal.ts";

/** What is left of a session that was deleted, until it is purged. */
interface DeletedSession {
  readonly events: readonly StoredEvent[];
  readonly head: number;
  readonly trimmed: number;
  /** The one that deleted it. */
  readonly generation: number;
  readonly deletedAt: number;
}

/** The sessions of a memory store, who holds them, and what is left of deleted ones. */
export class MemorySessions {
  readonly holders: Holders;
  readonly deleted = new Map<string, DeletedSession>();
  readonly #now: () => number;
  readonly #sessions = new Map<string, StoredSession>();
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.holders = new Holders(now);
  }

  /** Higher than any before, of whichever session: its id may have belonged to another one. */
  nextGeneration(): number {
    this.#generation += 1;
    return this.#generation;
  }

  add(kept: StoredSession): void {
    this.#sessions.set(kept.record.sessionId, kept);
  }

  all(): StoredSession[] {
    return [...this.#sessions.values()];
  }

  find(sessionId: string): StoredSession | undefined {
    return this.#sessions.get(sessionId);
  }

  known(sessionId: string): StoredSession {
    const kept = this.#sessions.get(sessionId);
    if (!kept) throw sessionUnknown(sessionId);
    return kept;
  }

  /** Refuses a generation that may not write. */
  held(sessionId: string, generation: number): StoredSession {
    const kept = this.known(sessionId);
    const position = this.positionOf(kept);
    if (position.generation !== generation) throw leaseLost(position, generation);
    return kept;
  }

  isHeld({ holder }: StoredSession): boolean {
    return holder !== undefined && this.holders.isAlive(holder);
  }

  positionOf(kept: StoredSession): WritePosition {
    const { sessionId, head, trimmed } = kept.record;
    const generation = this.isHeld(kept) ? kept.generation : undefined;
    return { sessionId, generation, head, trimmed };
  }

  /** Takes all leases from a holder; answers with the ids of their sessions. */
  removeHolder(holder: string): string[] {
    this.holders.remove(holder);
    const released = this.all().filter((kept) => kept.holder === holder);
    for (const kept of released) kept.holder = undefined;
    return released.map((kept) => kept.record.sessionId);
  }

  hosts(): HostRecord[] {
    return this.holders.list(countHeld(this.all().map(({ holder }) => holder)));
  }

  orphans({ limit, storage }: OrphanQuery, hasCommands: (sessionId: string) => boolean): string[] {
    return this.all()
      .filter((kept) => !this.isHeld(kept))
      .map((kept) => kept.record)
      .filter((record) => isUnsettled(record) || hasCommands(record.sessionId))
      .filter((record) => storage === undefined || (record.storage ?? storage) === storage)
      .toSorted((left, right) => compareListed(right, left))
      .slice(0, limit)
      .map((record) => record.sessionId);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Removes a session and keeps its events for those who still read them. */
  delete({ record, events, generation }: StoredSession): void {
    const { sessionId, head, trimmed } = record;
    this.#sessions.delete(sessionId);
    this.deleted.set(sessionId, { events, head, trimmed, generation, deletedAt: this.#now() });
  }

  clear(): void {
    this.#sessions.clear();
    this.deleted.clear();
  }
}

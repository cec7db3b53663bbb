import type { RecordPatch } from "../../session-record.ts";
import { countHeld, Holders } from "../holders.ts";
import type { WritePosition } from "../refusal.ts";
import type { RegistryWrite, WriteAnswer, WriteOf } from "./write.ts";

/** A session with a lease given by this process; the rest of the world cannot write. */
export interface LeasedSession extends WritePosition {
  readonly key: number;
  readonly generation: number;
  readonly holder: string;
  /** What the transaction has yet to write to the session's row; undefined when nothing. */
  readonly patch?: RecordPatch;
}

export interface LeasedSessionsOptions {
  readonly now: () => number;
  /** An earlier thread of this process gave leases that are forgotten. */
  readonly isRestart: boolean;
}

/** The leases that the writer gave. What a transaction changes of them is staged until it is committed. */
export class LeasedSessions {
  readonly holders: Holders;
  readonly #held = new Map<string, LeasedSession>();
  readonly #staged = new Map<string, LeasedSession | undefined>();
  readonly #isRestart: boolean;
  /** Holders that know, after a restart, that their earlier leases are gone. */
  readonly #notified = new Set<string>();

  constructor({ now, isRestart }: LeasedSessionsOptions) {
    this.holders = new Holders(now);
    this.#isRestart = isRestart;
  }

  /** The session whose holder lives. */
  find(sessionId: string): LeasedSession | undefined {
    const held = this.#staged.has(sessionId)
      ? this.#staged.get(sessionId)
      : this.#held.get(sessionId);
    return held && this.holders.isAlive(held.holder) ? held : undefined;
  }

  staged(sessionId: string): LeasedSession | undefined {
    return this.#staged.get(sessionId);
  }

  stagedIds(): string[] {
    return [...this.#staged.keys()];
  }

  /** Undefined: the session is not held any more. */
  stage(sessionId: string, held: LeasedSession | undefined): void {
    this.#staged.set(sessionId, held);
  }

  commit(): void {
    for (const [sessionId, held] of this.#staged) {
      if (held) this.#held.set(sessionId, held);
      else this.#held.delete(sessionId);
    }
    this.#staged.clear();
  }

  rollBack(): void {
    this.#staged.clear();
  }

  /** Answers what concerns holders; `listUnsettled` has the sessions that need a holder. */
  apply(
    write: RegistryWrite,
    listUnsettled: (storage: string | undefined) => readonly string[],
  ): WriteAnswer {
    switch (write.type) {
      case "renew":
        return this.#renew(write);
      case "remove_holder":
        return this.#removeHolder(write.holder);
      case "find_living":
        return write.holders.filter((holder) => this.holders.isAlive(holder));
      case "list_hosts":
        return this.holders.list(countHeld([...this.#held.values()].map(({ holder }) => holder)));
      case "list_orphans":
        return listUnsettled(write.storage)
          .filter((sessionId) => !this.find(sessionId))
          .slice(0, write.limit);
    }
  }

  #renew({ holder, ttlMs, description }: WriteOf<"renew">): boolean {
    const wasAlive = this.holders.renew(holder, ttlMs, description);
    if (!this.#isRestart || this.#notified.has(holder)) return wasAlive;
    this.#notified.add(holder);
    return false;
  }

  #removeHolder(holder: string): string[] {
    this.holders.remove(holder);
    const ids = [...this.#held.values()]
      .filter((held) => held.holder === holder)
      .map((held) => held.sessionId);
    for (const sessionId of ids) this.#held.delete(sessionId);
    return ids;
  }
}

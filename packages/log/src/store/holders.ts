import type { HostDescription, HostRecord } from "../host-registry.ts";

/** How long a host that died stays listed. */
const DEAD_LISTED_MS = 600_000;

interface Holder {
  readonly seenAt: number;
  readonly livesUntil: number;
  readonly description: HostDescription | undefined;
}

/** Who lives and for how long, for stores that keep it in memory. */
export class Holders {
  readonly #now: () => number;
  readonly #holders = new Map<string, Holder>();

  constructor(now: () => number) {
    this.#now = now;
  }

  isAlive(holder: string): boolean {
    return (this.#holders.get(holder)?.livesUntil ?? 0) > this.#now();
  }

  /** The holder lives for at least so long from now. */
  extend(holder: string, ttlMs: number): void {
    const seenAt = this.#now();
    const known = this.#holders.get(holder);
    const livesUntil = Math.max(known?.livesUntil ?? 0, seenAt + ttlMs);
    this.#holders.set(holder, { seenAt, livesUntil, description: known?.description });
  }

  /** The holder lives for exactly so long from now; false when it did not live before. */
  renew(holder: string, ttlMs: number, description?: HostDescription): boolean {
    const wasAlive = this.isAlive(holder);
    const seenAt = this.#now();
    this.#holders.set(holder, {
      seenAt,
      livesUntil: seenAt + ttlMs,
      description: description ?? this.#holders.get(holder)?.description,
    });
    return wasAlive;
  }

  remove(holder: string): void {
    this.#holders.delete(holder);
  }

  /** Those that described themselves; `held` counts the sessions of each. */
  list(held: ReadonlyMap<string, number>): HostRecord[] {
    const now = this.#now();
    return [...this.#holders].flatMap(([hostId, { description, seenAt, livesUntil }]) => {
      if (livesUntil + DEAD_LISTED_MS <= now) this.#holders.delete(hostId);
      if (!description || !this.#holders.has(hostId)) return [];
      return [
        {
          ...description,
          hostId,
          isAlive: livesUntil > now,
          seenAt: new Date(seenAt).toISOString(),
          sessions: held.get(hostId) ?? 0,
        },
      ];
    });
  }
}

/** How many sessions each holder has. */
export function countHeld(holders: Iterable<string | undefined>): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const holder of holders) {
    if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) + 1);
  }
  return held;
}

import type { Counted, SharedValues, Slot } from "../shared-values.ts";

export interface MemoryValuesOptions {
  readonly now: () => number;
  readonly isAlive: (holder: string) => boolean | Promise<boolean>;
  readonly onChanged: (key: string) => void;
  /** Throws when the store is closed. */
  readonly checkOpen: () => void;
}

/** How often what has expired is looked for. */
const SWEEP_MS = 60_000;

interface Expiring {
  readonly expiresAt: number;
}

interface StoredValue extends Expiring {
  readonly value: string;
}

interface Counter extends Expiring {
  readonly count: number;
}

/** Shared values of a store that one process has to itself. */
export class MemoryValues implements SharedValues {
  readonly #options: MemoryValuesOptions;
  readonly #values = new Map<string, StoredValue>();
  readonly #counters = new Map<string, Counter>();
  /** By pool, who holds each slot. */
  readonly #slots = new Map<string, Map<string, string>>();
  #sweptAt = 0;

  constructor(options: MemoryValuesOptions) {
    this.#options = options;
  }

  async readValue(key: string): Promise<string | undefined> {
    this.#options.checkOpen();
    return this.#find(this.#values, key)?.value;
  }

  async listValues(prefix: string): Promise<ReadonlyMap<string, string>> {
    this.#options.checkOpen();
    const keys = [...this.#values.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const found = new Map<string, string>();
    for (const key of keys) {
      const value = this.#find(this.#values, key)?.value;
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  async writeValue(
    key: string,
    value: string,
    options: { readonly ttlMs?: number; readonly onlyIf?: string | null } = {},
  ): Promise<boolean> {
    const { ttlMs = Infinity, onlyIf } = options;
    this.#options.checkOpen();
    this.#sweep();
    const known = this.#find(this.#values, key)?.value ?? null;
    if (onlyIf !== undefined && known !== onlyIf) return false;
    this.#values.set(key, { value, expiresAt: this.#options.now() + ttlMs });
    this.#options.onChanged(key);
    return true;
  }

  async takeValue(key: string): Promise<string | undefined> {
    this.#options.checkOpen();
    const value = this.#find(this.#values, key)?.value;
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#options.onChanged(key);
    return value;
  }

  async count(key: string, windowMs: number, by = 1): Promise<Counted> {
    this.#options.checkOpen();
    this.#sweep();
    const now = this.#options.now();
    const known = this.#find(this.#counters, key) ?? { count: 0, expiresAt: now + windowMs };
    if (by === 0 && known.count === 0) return { count: 0, resetInMs: 0 };
    const counted = { ...known, count: known.count + by };
    this.#counters.set(key, counted);
    return { count: counted.count, resetInMs: counted.expiresAt - now };
  }

  async takeSlot(pool: string, { id, holder }: Slot, limit: number): Promise<boolean> {
    this.#options.checkOpen();
    const slots = this.#slots.get(pool) ?? new Map<string, string>();
    this.#slots.set(pool, slots);
    for (const [other, itsHolder] of slots) {
      if (!(await this.#options.isAlive(itsHolder))) slots.delete(other);
    }
    // Nothing is awaited from here on: of many who take the last one, one gets it.
    const taken = slots.size - (slots.has(id) ? 1 : 0);
    if (taken >= limit) return false;
    slots.set(id, holder);
    return true;
  }

  async releaseSlot(pool: string, slotId: string): Promise<void> {
    this.#options.checkOpen();
    if (this.#slots.get(pool)?.delete(slotId)) this.#options.onChanged(`slot/${pool}`);
  }

  #find<Value extends Expiring>(values: Map<string, Value>, key: string): Value | undefined {
    const found = values.get(key);
    return found && found.expiresAt > this.#options.now() ? found : undefined;
  }

  #sweep(): void {
    const now = this.#options.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const values of [this.#values, this.#counters]) {
      for (const [key, { expiresAt }] of values) if (expiresAt <= now) values.delete(key);
    }
  }
}

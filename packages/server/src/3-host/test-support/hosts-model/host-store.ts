import { type Store, StoreError, type StoreHint } from "@turnwire/log";
import { Gate } from "../model/gate.ts";

/** One host's way to the store that all share: it can be cut, stand still with its host, or end with it. */
export class HostStore {
  readonly store: Store;
  /** Hints do not reach the host. */
  isDeaf = false;
  readonly #disk: Store;
  readonly #gate = new Gate();
  readonly #listeners = new Set<(hint: StoreHint) => void>();
  #lastPassed: Promise<void> = Promise.resolve();
  #isCut = false;
  #isFrozen = false;
  #isCrashed = false;

  constructor(disk: Store) {
    this.#disk = disk;
    this.store = this.#view();
    disk.watch((hint) => {
      if (!this.#isCut && !this.#isFrozen) this.#emit(hint);
    });
  }

  /** Nothing reaches the store, and the host knows that. */
  cut(): void {
    this.#isCut = true;
  }

  heal(): void {
    this.#isCut = false;
    this.#emit({ type: "gap" });
  }

  /** The host stands still: what it does now happens when it continues. */
  pause(): void {
    this.#isFrozen = true;
    this.#gate.slowDown();
  }

  resume(): void {
    this.#isFrozen = false;
    this.#gate.open();
    this.#emit({ type: "gap" });
  }

  crash(): void {
    this.#isCrashed = true;
    this.#gate.open();
  }

  #emit(hint: StoreHint): void {
    if (this.#isCrashed || this.isDeaf) return;
    for (const listener of this.#listeners) listener(hint);
  }

  #view(): Store {
    return new Proxy(this.#disk, {
      get: (disk, name) => {
        if (name === "watch") return (onHint: (hint: StoreHint) => void) => this.#watch(onHint);
        const member: unknown = Reflect.get(disk, name);
        if (typeof member !== "function") return member;
        return (...parameters: unknown[]) =>
          this.#perform(async () => Reflect.apply(member, disk, parameters));
      },
    });
  }

  #watch(onHint: (hint: StoreHint) => void): () => void {
    this.#listeners.add(onHint);
    return () => this.#listeners.delete(onHint);
  }

  /** In the order of the calls: what waited while the host stood still is not overtaken. */
  async #perform(go: () => Promise<unknown>): Promise<unknown> {
    const passed = this.#lastPassed.then(() => this.#pass());
    this.#lastPassed = passed.catch(() => undefined);
    await passed;
    try {
      return await go();
    } finally {
      // The answer comes through the same way.
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    if (this.#isFrozen) await this.#gate.pass();
    if (this.#isCrashed) await new Promise(() => undefined);
    if (this.#isCut) throw new StoreError("unavailable", "cut off from the store");
  }
}

import { type Store, StoreError, type StoreHealth } from "@turnwire/log";

/** By these a host finds out that it can reach the store again; and hints, which come of themselves. */
const alwaysOpen: ReadonlySet<PropertyKey> = new Set<keyof Store>([
  "renewHolder",
  "removeHolder",
  "watch",
  "close",
]);

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Stands between a host and its store. When it is shut, because the host knows that it is cut off,
 * whatever is asked of the store or was asked before fails at once as `unavailable`, which leaves open
 * whether it was done, instead of waiting as long as the store itself would.
 */
export class StoreGate {
  /** What is under way, by what gives it up. */
  readonly #underWay = new Set<() => void>();
  #isShut = false;
  #lastHealth: StoreHealth | undefined;

  get isShut(): boolean {
    return this.#isShut;
  }

  shut(): void {
    this.#isShut = true;
    for (const giveUp of this.#underWay) giveUp();
    this.#underWay.clear();
  }

  open(): void {
    this.#isShut = false;
  }

  /** The same store, behind the gate. */
  guard(store: Store): Store {
    return this.#guarded(store);
  }

  #guarded<Target extends object>(target: Target): Target {
    const guarded = new Map<PropertyKey, unknown>();
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target);
        const isPlain = typeof member !== "function" && typeof member !== "object";
        if (isPlain || member === null) return member;
        const known = guarded.get(name) ?? this.#member(name, member, target);
        guarded.set(name, known);
        return known;
      },
    });
  }

  #member(name: PropertyKey, member: object, target: object): unknown {
    if (typeof member !== "function") return this.#guarded(member);
    // Methods need the store itself: a proxy has none of its private members.
    const method: Method = member.bind(target);
    if (alwaysOpen.has(name)) return method;
    if (name === "health") return () => this.#health(method as Store["health"]);
    return (...args: unknown[]) => this.#pass(() => method(...args));
  }

  async #health(health: Store["health"]): Promise<StoreHealth> {
    try {
      this.#lastHealth = await this.#pass(health);
      return this.#lastHealth;
    } catch (error) {
      if (!this.#isShut) throw error;
      const { failedWrites = 0, restarts = 0 } = this.#lastHealth ?? {};
      return { isWritable: false, reason: new CutOffError().message, failedWrites, restarts };
    }
  }

  #pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isShut) return Promise.reject(new CutOffError());
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new CutOffError());
      this.#underWay.add(giveUp);
      work()
        .then(resolve, reject)
        .finally(() => this.#underWay.delete(giveUp));
    });
  }
}

/** Reported once, when it begins, and not for each that meets it. */
export class CutOffError extends StoreError {
  constructor() {
    super("unavailable", "this host is cut off from it");
  }
}

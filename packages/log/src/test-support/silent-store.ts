import type { Store } from "../store.ts";

/** A way to a store on which nothing passes while it is silent; what was asked meanwhile arrives when it ends. */
export class SilentStore {
  readonly store: Store;
  #silence: Promise<void> | undefined;
  #end: () => void = () => undefined;

  constructor(store: Store) {
    this.store = this.#reached(store);
  }

  silence(): void {
    this.#silence ??= new Promise((resolve) => (this.#end = resolve));
  }

  heal(): void {
    this.#silence = undefined;
    this.#end();
  }

  #reached<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === "object" && member !== null) return this.#reached(member);
        if (typeof member !== "function") return member;
        if (name === "watch") return member.bind(target);
        return async (...args: unknown[]) => {
          await this.#silence;
          return Reflect.apply(member, target, args);
        };
      },
    });
  }
}

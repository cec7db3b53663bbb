import type { Registry } from "./component-registry.ts";

/** A registry that components join and leave while the page is there. */
export interface LiveRegistry<ComponentType> {
  /** The current registrations; the same object until they change. */
  readonly getRegistry: () => Registry<ComponentType>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Adds the components of another registry, in front of earlier ones of the same name, until the answer is called. */
  readonly add: (registry: Registry<ComponentType>) => () => void;
}

export function createLiveRegistry<ComponentType>(
  base: Registry<ComponentType>,
): LiveRegistry<ComponentType> {
  const listeners = new Set<() => void>();
  /** Newest first. */
  let added: readonly Registry<ComponentType>[] = [];
  let current = base;
  const change = (next: readonly Registry<ComponentType>[]): void => {
    added = next;
    current = added.length === 0 ? base : joined([...added, base]);
    for (const listener of listeners) listener();
  };
  return {
    getRegistry: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (registry) => {
      change([registry, ...added]);
      return () => change(added.filter((other) => other !== registry));
    },
  };
}

function joined<ComponentType>(
  registries: readonly Registry<ComponentType>[],
): Registry<ComponentType> {
  return {
    find: (name) => {
      for (const registry of registries) {
        const found = registry.find(name);
        if (found) return found;
      }
      return undefined;
    },
    names: (surface) => [...new Set(registries.flatMap((registry) => registry.names(surface)))],
  };
}

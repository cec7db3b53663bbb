import type { JsonValue } from "@turnwire/protocol";

/** The part of `localStorage` that is used here. */
interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** A person's input into a component that was not sent yet; it outlives the page. */
export interface UnsentEntry {
  readonly load: () => JsonValue | undefined;
  /** Undefined forgets it, as after it was sent. */
  readonly save: (value: JsonValue | undefined) => void;
}

export interface EntryPlace {
  readonly sessionId: string;
  readonly componentId: string;
}

const PREFIX = "turnwire.unsent.";

/** Entries of one session; those that were changed longest ago are forgotten. */
const MOST_ENTRIES = 50;

type Entries = readonly (readonly [componentId: string, value: JsonValue])[];

/** For a page without storage, and one that is not allowed to use it. */
const memory = new Map<string, string>();

/** The entry of one component in this browser. */
export function unsentEntry(
  { sessionId, componentId }: EntryPlace,
  storage: TextStorage = pageStorage(),
): UnsentEntry {
  const name = PREFIX + sessionId;
  return {
    load: () => entriesIn(storage, name).find(([id]) => id === componentId)?.[1],
    save: (value) => {
      const others = entriesIn(storage, name).filter(([id]) => id !== componentId);
      const entries: Entries = value === undefined ? others : [...others, [componentId, value]];
      if (entries.length === 0) {
        storage.removeItem(name);
        return;
      }
      try {
        storage.setItem(name, JSON.stringify(entries.slice(-MOST_ENTRIES)));
      } catch {
        // A full storage only means that this entry does not outlive the page.
      }
    },
  };
}

function entriesIn(storage: TextStorage, name: string): Entries {
  try {
    const entries: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    // Only `save` writes under this name; what anyone else wrote there is no list of pairs.
    return Array.isArray(entries) ? (entries.filter(Array.isArray) as unknown as Entries) : [];
  } catch {
    return [];
  }
}

function pageStorage(): TextStorage {
  try {
    const { localStorage } = globalThis as { readonly localStorage?: TextStorage };
    if (localStorage) return localStorage;
  } catch {
    // A browser that blocks storage throws.
  }
  return {
    getItem: (name) => memory.get(name) ?? null,
    setItem: (name, text) => void memory.set(name, text),
    removeItem: (name) => void memory.delete(name),
  };
}

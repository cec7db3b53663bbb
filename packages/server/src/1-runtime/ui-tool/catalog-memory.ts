import type { CatalogEntry } from "@turnwire/protocol";

/** What the agent of one session knows of its catalog. */
export class KnownCatalog {
  /** By the descriptions of its tools: for as long as the conversation lives. */
  readonly #given = new Set<string>();
  /** By notes within the conversation. */
  readonly #told = new Set<string>();

  has(entry: CatalogEntry): boolean {
    const text = JSON.stringify(entry);
    return this.#given.has(text) || this.#told.has(text);
  }

  give(entries: readonly CatalogEntry[]): void {
    for (const entry of entries) this.#given.add(JSON.stringify(entry));
  }

  tell(entries: readonly CatalogEntry[]): void {
    for (const entry of entries) this.#told.add(JSON.stringify(entry));
  }

  /** A part of the conversation is gone, and the notes in it. */
  forgetTold(): void {
    this.#told.clear();
  }
}

const maxSessions = 500;

/** What the agents of the newest sessions know: they keep it while they sleep. An agent that is forgotten here gets its catalog again. */
export class CatalogMemory {
  readonly #sessions = new Map<string, KnownCatalog>();

  of(sessionId: string): KnownCatalog {
    const known = this.#sessions.get(sessionId) ?? new KnownCatalog();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, known);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return known;
  }
}

import type { CatalogEntry } from "@turnwire/protocol";

/** What the agent of one session knows of its catalog. */
export class KnownCatalog {
  /** From the descriptions of its tools, which last as long as the conversation. */
  readonly #fromTools = new Set<string>();
  /** From notes in the conversation. */
  readonly #fromConversation = new Set<string>();

  has(entry: CatalogEntry): boolean {
    const text = JSON.stringify(entry);
    return this.#fromTools.has(text) || this.#fromConversation.has(text);
  }

  addFromTools(entries: readonly CatalogEntry[]): void {
    for (const entry of entries) this.#fromTools.add(JSON.stringify(entry));
  }

  addFromConversation(entries: readonly CatalogEntry[]): void {
    for (const entry of entries) this.#fromConversation.add(JSON.stringify(entry));
  }

  /** Notes may be in a part of the conversation that is gone. */
  forgetConversation(): void {
    this.#fromConversation.clear();
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

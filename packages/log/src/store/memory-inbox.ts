import { randomUUID } from "node:crypto";
import type { InboxAnswer, InboxEntry } from "../inbox.ts";
import { entryAnswered } from "./refusal.ts";

interface StoredAnswer {
  readonly result: string;
  readonly at: number;
}

/** The inboxes of all sessions of a memory store; who may do what is decided there. */
export class MemoryInbox {
  readonly #now: () => number;
  /** By session, in the order in which they were stored. */
  readonly #waiting = new Map<string, Map<string, InboxEntry>>();
  readonly #answers = new Map<string, StoredAnswer>();

  constructor(now: () => number) {
    this.#now = now;
  }

  put(sessionId: string, body: string): string {
    const entries = this.#waiting.get(sessionId) ?? new Map<string, InboxEntry>();
    this.#waiting.set(sessionId, entries);
    const entryId = randomUUID();
    const at = new Date(this.#now()).toISOString();
    entries.set(entryId, Object.freeze({ entryId, sessionId, body, at }));
    return entryId;
  }

  read(sessionId: string, limit: number): InboxEntry[] {
    return [...(this.#waiting.get(sessionId)?.values() ?? [])].slice(0, limit);
  }

  /** The sessions for which something waits. */
  waiting(): string[] {
    return [...this.#waiting.keys()].filter((sessionId) => this.has(sessionId));
  }

  has(sessionId: string): boolean {
    return (this.#waiting.get(sessionId)?.size ?? 0) > 0;
  }

  begin(sessionId: string, entryId: string, generation: number): void {
    const entries = this.#waiting.get(sessionId);
    const entry = entries?.get(entryId);
    if (!entry) throw entryAnswered(sessionId, entryId);
    entries?.set(entryId, Object.freeze({ ...entry, begunIn: generation }));
  }

  /** The first of the answers that would be given to what does not wait, or a second time. */
  refusal(sessionId: string, answers: readonly InboxAnswer[]) {
    const entries = this.#waiting.get(sessionId);
    const refused = answers.find(
      ({ entryId }, index) =>
        !entries?.has(entryId) || answers.findIndex((other) => other.entryId === entryId) !== index,
    );
    return refused && entryAnswered(sessionId, refused.entryId);
  }

  answer(sessionId: string, answers: readonly InboxAnswer[]): void {
    for (const { entryId, result } of answers) {
      this.#waiting.get(sessionId)?.delete(entryId);
      this.#answers.set(entryId, { result, at: this.#now() });
    }
  }

  findAnswer(entryId: string): string | undefined {
    return this.#answers.get(entryId)?.result;
  }

  /** What waits for a session that is gone for good. */
  forget(sessionId: string): void {
    this.#waiting.delete(sessionId);
  }

  purge(olderThanMs: number): void {
    const limit = this.#now() - olderThanMs;
    for (const [entryId, { at }] of this.#answers) {
      if (at <= limit) this.#answers.delete(entryId);
    }
  }
}
